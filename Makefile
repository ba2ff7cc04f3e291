# `make lab` opens the course; `make check` looks over a change, `make test` everything. `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A second environment with the versions that Colab ships, for the tests alone.
COLAB := .venv-colab
# A wheel index for torch alone, for Linux without a GPU (README says where its address is found).
TORCH_INDEX ?=
BRANCH ?= main
# JupyterLab refuses to start as root without this flag, and in a container the newcomer is root.
ROOT_FLAG := $(if $(filter 0,$(shell id -u)),--allow-root)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

export PIP_ROOT_USER_ACTION := ignore

.PHONY: lab check test bench notebooks solutions links baselines screenshots constraints clean help

lab: $(VENV)/lab.stamp  ## 安装并在 JupyterLab 里打开第 00 课
	$(BIN)/jupyter lab $(ROOT_FLAG) --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb

# Two workers on two cores: more threads in each would only wait for one another.
check test solutions: export OMP_NUM_THREADS := 1

check: $(VENV)/test.stamp  ## 改一点，查一次（约两分钟）：代码、文字和单元测试，不开浏览器，不成批画图，不执行 notebook
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pytest --numprocesses 2 --dist loadscope -m 'not (browser or colab or notebooks or pictures)' tests

# The browser tests stand first; they wait a lot, so three workers keep two cores busy. A kernel that never answers
# is asked once more.
ONCE_MORE := --reruns 1 --only-rerun 'no answer in' --only-rerun CellTimeoutError
NBVAL := --numprocesses 2 --dist loadscope --nbval --nbval-sanitize-with tests/nbval_sanitize.cfg

# tests/lessons runs each lesson with the pinned versions, and nbval with those of Colab, whose older matplotlib uses
# what newer packages call deprecated.
test: $(VENV)/test.stamp $(COLAB)/stamp  ## 全部检查（几分钟，交上去之前）：上面这些，加上图、每一课和真实浏览器里的视图
	@sh tools/dev/install_browser.sh
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pytest --numprocesses 3 --dist loadscope --no-loadscope-reorder $(ONCE_MORE) --mpl tests
	$(COLAB)/bin/pytest -W ignore::DeprecationWarning $(NBVAL) notebooks

notebooks: $(VENV)/test.stamp  ## 同步文本与 notebook，重新执行，写出干净的文件；只要一课：LESSON=03_score_heatmap
	$(BIN)/python -m tools.build notebook $(LESSON)

solutions: $(VENV)/test.stamp  ## 教师版：填好所有答案的每一课，写到 solutions/ 并检查
	$(BIN)/python -m tools.build solutions
	$(BIN)/pytest $(NBVAL) solutions

links:  ## 换仓库地址：make links REPO=用户名/仓库名 BRANCH=main
	$(PYTHON) -m tools.dev.links "$(REPO)" "$(BRANCH)"

baselines: $(VENV)/test.stamp  ## 重画图的基准（之后务必用眼睛看一遍）
	$(BIN)/pytest -W 'ignore:Ignoring --mpl-baseline-path' --numprocesses 2 --mpl-generate-path tests/baseline -k test_looks tests/package

screenshots: $(VENV)/test.stamp  ## 重拍 README 里的图
	PYTHONPATH=tests $(BIN)/python -m tools.dev.screenshots

bench: $(VENV)/test.stamp  ## 测一测滑块和 SelfAttention 有多快
	PYTHONPATH=tests $(BIN)/python -m tools.dev.bench

constraints: $(VENV)/test.stamp  ## 重新求解 constraints.txt
	$(PIP_INSTALL) uv
	sh tools/dev/resolve_constraints.sh

clean:  ## 删除虚拟环境和缓存
	rm -rf $(VENV) $(COLAB) .pytest_cache .ruff_cache .hypothesis

help:
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

# torch goes first: packages that depend on it would otherwise choose another build. What torch itself needs comes
# with the next step, since TORCH_INDEX need not hold the versions of constraints.txt.
$(VENV)/torch.stamp: constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] < (3, 14))' || \
	  { echo '需要 Python 3.10 到 3.13；可以这样指定：make lab PYTHON=python3.12'; exit 1; }
	@$(PYTHON) -c 'import platform; exit((platform.system(), platform.machine()) == ("Darwin", "x86_64"))' || \
	  { echo 'PyTorch 不再为 Intel 芯片的 Mac 提供安装包。请用 README 上的 Binder 或 Colab 徽章。'; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo '建不了虚拟环境。Debian 或 Ubuntu 请先运行：apt install python3-venv'; exit 1; }
	@echo '正在安装，第一次需要几分钟 …'
	$(PIP_INSTALL) $(if $(TORCH_INDEX),--no-deps --index-url $(TORCH_INDEX)) torch
	@touch $@

$(VENV)/lab.stamp: pyproject.toml tools/jupyterlab_settings.json $(VENV)/torch.stamp
	$(PIP_INSTALL) --editable '.[lab]'
	$(BIN)/python -m tools.jupyterlab_settings
	@touch $@

$(VENV)/test.stamp: pyproject.toml $(VENV)/lab.stamp
	$(PIP_INSTALL) --editable '.[lab,test]'
	@touch $@

# All as old as Colab's but torch: the build that installs quickly.
$(COLAB)/stamp: pyproject.toml tests/oldest_constraints.txt
	@$(PYTHON) -m venv $(COLAB)
	$(COLAB)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
	  $(if $(TORCH_INDEX),--no-deps --index-url $(TORCH_INDEX)) torch
	grep -v '^torch==' tests/oldest_constraints.txt > $(COLAB)/constraints.txt
	$(COLAB)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(COLAB)/constraints.txt \
	  --editable . ipykernel nbval pytest pytest-mpl pytest-timeout pytest-xdist
	@touch $@
