# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Tests are found by name, never listed:
#   tests/unit/test_*.c    one cmocka program each; may include everything in src/
#   tests/support/*.c      builders of input shared by unit tests ("support/x.h")
#   tests/<suite>/         pytest suites; they find the programs through PATH
#   tests/tidy/test_*.py   rules about the tree itself
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

# Registers one suite; the rest of the arguments goes to pytest. Exit status 5 is "no test collected".
function(smelt_add_pytest name folder labels)
	add_test(NAME ${name}
		COMMAND "${SMELT_PYTHON}" -m pytest -q -p no:cacheprovider ${ARGN} "${folder}"
		WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
	set_tests_properties(${name} PROPERTIES
		LABELS "${labels}" TIMEOUT 900 SKIP_RETURN_CODE 5
		ENVIRONMENT "${SMELT_TEST_ENVIRONMENT};SMELT_BUILD_DIR=${PROJECT_BINARY_DIR};SMELT_BUILD_TYPE=${CMAKE_BUILD_TYPE};SMELT_SANITIZE=${SMELT_SANITIZE};SMELT_CC=${CMAKE_C_COMPILER};PYTHONDONTWRITEBYTECODE=1"
		ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:${PROJECT_BINARY_DIR}")
endfunction()

if(pytest_status EQUAL 0)
	foreach(suite golden differential property tidy)
		file(GLOB suite_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${suite}/test_*.py")
		if(NOT suite_files)
			continue()
		endif()
		smelt_add_pytest(${suite} "${PROJECT_SOURCE_DIR}/tests/${suite}" ${suite})
		if(SMELT_SANITIZE MATCHES "thread")
			smelt_add_pytest(${suite}.thread "${PROJECT_SOURCE_DIR}/tests/${suite}"
				"thread" -m thread)
		endif()
	endforeach()
endif()
