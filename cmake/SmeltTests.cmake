# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Tests are found by name, never listed:
#   tests/unit/test_*.c      one cmocka program each; may include everything in src/
#   tests/support/*.c        builders of input shared by unit tests ("support/x.h")
#   tests/<suite>/test_*.py  pytest suites; they find the programs through PATH
#   tests/tidy/test_*.py     rules about the tree itself
# A line "ctest-labels: thread" in a unit test's head comment adds that label; the
# pytest marker `thread` does the same. The tsan preset runs what is labelled so.

pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)

# A size that damaged input asks for must come back as NULL, as from malloc(), not abort.
set(SMELT_TEST_ENVIRONMENT
	"ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1"
	"TSAN_OPTIONS=allocator_may_return_null=1:halt_on_error=1"
	"UBSAN_OPTIONS=print_stacktrace=1")

file(GLOB support_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.c")
if(support_sources)
	add_library(test_support STATIC ${support_sources})
	target_include_directories(test_support PUBLIC
		"${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
	target_link_libraries(test_support PUBLIC smelt)
endif()

file(GLOB unit_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/unit/test_*.c")
if(unit_sources AND NOT CMOCKA_FOUND)
	message(STATUS "cmocka not found: no unit tests (scripts/install-deps.sh test)")
	set(unit_sources)
endif()
foreach(source IN LISTS unit_sources)
	get_filename_component(program "${source}" NAME_WE)
	string(REGEX REPLACE "^test_" "" name "${program}")
	add_executable(${program} "${source}")
	target_include_directories(${program} PRIVATE
		"${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
	target_link_libraries(${program} PRIVATE
		$<TARGET_NAME_IF_EXISTS:test_support> smelt PkgConfig::CMOCKA)
	set_target_properties(${program} PROPERTIES
		RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
	add_test(NAME unit.${name} COMMAND ${program})
	set(labels unit)
	file(STRINGS "${source}" extra REGEX "ctest-labels: ")
	if(extra)
		string(REGEX REPLACE ".*ctest-labels: *([a-z ]*[a-z]).*" "\\1" extra "${extra}")
		string(REPLACE " " ";" extra "${extra}")
		list(APPEND labels ${extra})
	endif()
	set_tests_properties(unit.${name} PROPERTIES
		LABELS "${labels}" TIMEOUT 120 ENVIRONMENT "${SMELT_TEST_ENVIRONMENT}")
endforeach()

set(SMELT_PYTHON /usr/bin/python3 CACHE FILEPATH "Python that has pytest")
execute_process(COMMAND "${SMELT_PYTHON}" -m pytest --version
	RESULT_VARIABLE pytest_status OUTPUT_QUIET ERROR_QUIET)
if(NOT pytest_status EQUAL 0)
	message(STATUS "pytest not found: no Python suites (scripts/install-deps.sh test)")
endif()

# Registers tests of one pytest file or folder; the rest of the arguments goes to pytest. Exit status 5 is "no
# test collected". These take longest, so they are started first.
function(smelt_add_pytest name path labels)
	add_test(NAME ${name}
		COMMAND "${SMELT_PYTHON}" -m pytest -q -p no:cacheprovider ${ARGN} "${path}"
		WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
	set_tests_properties(${name} PROPERTIES
		LABELS "${labels}" TIMEOUT 900 SKIP_RETURN_CODE 5 COST 100
		ENVIRONMENT "${SMELT_TEST_ENVIRONMENT};SMELT_BUILD_DIR=${PROJECT_BINARY_DIR};SMELT_BUILD_TYPE=${CMAKE_BUILD_TYPE};SMELT_SANITIZE=${SMELT_SANITIZE};SMELT_CC=${CMAKE_C_COMPILER};PYTHONDONTWRITEBYTECODE=1"
		ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:${PROJECT_BINARY_DIR}")
endfunction()

# A test per file, so that all cores have something to do until the end. The rules about the tree are the
# same in all builds: they are checked in those without sanitizers.
if(pytest_status EQUAL 0)
	set(suites golden differential property)
	if(NOT SMELT_SANITIZE)
		list(APPEND suites tidy)
	endif()
	foreach(suite IN LISTS suites)
		file(GLOB suite_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${suite}/test_*.py")
		foreach(path IN LISTS suite_files)
			get_filename_component(name "${path}" NAME_WE)
			string(REGEX REPLACE "^test_" "" name "${name}")
			smelt_add_pytest(${suite}.${name} "${path}" ${suite})
			file(STRINGS "${path}" marked REGEX "pytest\\.mark\\.thread")
			if(SMELT_SANITIZE MATCHES "thread" AND marked)
				smelt_add_pytest(${suite}.${name}.thread "${path}" "thread" -m thread)
			endif()
		endforeach()
	endforeach()
endif()
