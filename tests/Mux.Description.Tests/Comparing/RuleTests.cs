using Mux.Description.Proto.Comparing;

namespace Mux.Description.Tests.Comparing;

/// <summary>A change that other programs notice is reported with the rule that it breaks; other changes are not reported.</summary>
public sealed class RuleTests
{
    public static TheoryData<RuleCase> Cases => [.. RuleCases.All];

    [Theory]
    [MemberData(nameof(Cases))]
    public void A_change_that_others_notice_is_reported(RuleCase change)
    {
        var findings = Texts.Compare(change.Before, change.After, change.IsJson).Findings.Where(static finding => finding.Rule != ContractRule.Behind).ToList();
        Assert.All(findings, finding => Assert.Equal(change.Id, finding.Id));
        Assert.Contains(findings, finding => finding.Text.Contains(change.Says, StringComparison.Ordinal));
        Assert.All(findings, static finding => Assert.True(finding.RecordedPosition.Line > 0));
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void A_change_that_no_program_notices_is_not_reported(RuleCase change) =>
        Assert.DoesNotContain(Texts.Compare(change.Before, change.Fine, change.IsJson).Findings, static finding => finding.Rule != ContractRule.Behind);

    [Theory]
    [MemberData(nameof(Cases))]
    public void Contracts_that_did_not_change_are_not_reported(RuleCase change) => Assert.Empty(Texts.Compare(change.Before, change.Before, isJson: true).Findings);

    [Fact]
    public void A_number_or_name_that_one_file_reserves_is_reserved_by_the_next_one()
    {
        const string before = "message A { reserved 2 to 5, 9; reserved \"old\"; E a = 1; } enum E { E_A = 0; reserved 7; }";
        Assert.Empty(Between(before, before));
        Assert.Empty(Between(before, before.Replace("2 to 5, 9", "2 to 3, 4, 5 to 20", StringComparison.Ordinal)));
        Assert.Equal(["MUX0073 't.A' no longer reserves 4", "MUX0085 't.A' no longer reserves the name 'old'", "MUX0079 't.E' no longer reserves 7"],
            Between(before, "message A { reserved 2 to 3, 5, 9; E a = 1; } enum E { E_A = 0; }").Order(StringComparer.Ordinal).OrderBy(static text => text.Contains("t.E", StringComparison.Ordinal)));
        Assert.DoesNotContain(Texts.Compare(before, "message A { E a = 1; } enum E { E_A = 0; }", isJson: true).Findings, static finding => finding.Rule != ContractRule.Behind);
    }

    [Fact]
    public void The_next_file_reserves_the_name_of_what_is_gone_as_well_as_its_number()
    {
        const string before = "message A { int32 a = 1; E b = 2; } enum E { E_A = 0; E_B = 1; }";
        const string after = "message A { E b = 2; reserved 1; } enum E { E_A = 0; reserved 1; }";
        Assert.Equal(["MUX0085 't.A.a' was the name 'a' in JSON and is free", "MUX0085 't.E.E_B' was the name of 1 in JSON and is free"], Between(before, after));
        Assert.All(Between(before, after.Replace("reserved 1;", "reserved 1; reserved \"a\", \"E_B\";", StringComparison.Ordinal)), static text => Assert.StartsWith("MUX0086", text, StringComparison.Ordinal));

        // An update reserves the names of what the code no longer has.
        Assert.All(Texts.Compare(before, after, isJson: true).Findings, static finding => Assert.Equal(ContractRule.Behind, finding.Rule));
    }

    [Theory]
    [InlineData("", "option (mux.service) = { exact_fields: true };")]
    [InlineData("option (mux.service) = { exact_fields: true };", "")]
    public void A_message_is_compared_exactly_if_one_of_its_services_says_how(string first, string second)
    {
        const string exact = "option (mux.service) = { exact_fields: true };";
        var after = Both(exact, exact, "int32 a = 1 [(mux.field).bits = 16];");
        var finding = Assert.Single(
            Texts.Compare(Both(first, second, "int32 a = 1;"), after).Findings, static finding => !finding.IsWarning);
        Assert.Equal("MUX0076", finding.Id);

        static string Both(string first, string second, string field) => $$"""
            service S { {{first}} rpc Do(A) returns (A); }
            service T { {{second}} rpc Do(A) returns (A); }
            message A { M m = 1; } message M { {{field}} }
            """;
    }

    [Theory]
    [InlineData("optional int32 b = 2;", "required int32 b = 2;")]
    [InlineData("required int32 b = 2;", "optional int32 b = 2;")]
    [InlineData("", "required int32 b = 2;")]
    [InlineData("required int32 b = 2;", "reserved 2;")]
    public void A_field_that_becomes_required_or_stops_being_so_is_an_error(string before, string after)
    {
        var finding = Assert.Single(Texts.Compare(Required(before), Required(after)).Findings, static finding => finding.Rule != ContractRule.Behind);
        Assert.Equal(("MUX0078", false), (finding.Id, finding.IsWarning));

        static string Required(string field) => $"/* required */ message A {{ optional int32 a = 1; {field} }}";
    }

    [Theory]
    [InlineData("double", "0.1", "1E-1", true)]
    [InlineData("double", "0.10000000000000001", "0.1", true)]
    [InlineData("double", "1E+20", "1e20", true)]
    [InlineData("double", "NaN", "NaN", true)]
    [InlineData("double", "0.1", "0.2", false)]
    [InlineData("float", "0.100000001", "0.1", true)]
    [InlineData("float", "0.1000001", "0.1", false)]
    [InlineData("uint64", "18446744073709551615", "18446744073709551614", false)]
    [InlineData("string", "1.0", "1.00", false)]
    [InlineData("bool", "true", "false", false)]
    [InlineData("E", "E_B", "1", true)]
    [InlineData("E", "E_B", "7", false)]
    [InlineData("E", "E_B", null, false)]
    [InlineData("int32", "0", null, false)]
    public void Initial_values_are_compared_as_values(string type, string before, string? after, bool isSame)
    {
        const string exact = "enum E { E_A = 0; E_B = 1; } service S { option (mux.service) = { exact_fields: true }; rpc Do(A) returns (google.protobuf.Empty); }";
        Assert.Equal(isSame ? [] : ["MUX0078"], Find(Field(before), Field(after)));
        Assert.Equal(isSame ? [] : ["MUX0078"], Find(Field(after), Field(before)));

        string Field(string? value) => $"message A {{ optional {type} a = 1 {(value is null ? "" : $"[(mux.field).absent = \"{value}\"]")}; }} {exact}";
    }

    [Theory]
    [InlineData("[default = 3]", "[(mux.field).absent = \"3\"]", true)]
    [InlineData("[default = 3]", "[(mux.field).absent = \"4\"]", false)]
    [InlineData("[default = 3]", "[default = 3, (mux.field).absent = \"4\"]", true)]
    [InlineData("[default = 3]", "", false)]
    [InlineData("[default = 0]", "", false)]
    public void A_default_is_an_initial_value(string before, string after, bool isSame)
    {
        const string exact = "/* required */ service S { option (mux.service) = { exact_fields: true }; rpc Do(A) returns (google.protobuf.Empty); }";
        Assert.Equal(isSame ? [] : ["MUX0078"], Find($"message A {{ optional int32 a = 1 {before}; }} {exact}", $"message A {{ optional int32 a = 1 {after}; }} {exact}"));
    }

    [Theory]
    [InlineData("int32 last_name = 1;", "string lastName = 2; reserved 1; reserved \"last_name\";", "was int32 in JSON and is string")]
    [InlineData("int32 last_name = 1;", "int32 lastName = 2; reserved 1; reserved \"last_name\";", null)]
    [InlineData("int32 a = 1 [json_name = \"x\"];", "string x = 2; reserved 1;", "was int32 in JSON and is string")]
    [InlineData("int32 a = 1 [json_name = \"x\"];", "string b = 2; reserved 1;", null)]
    [InlineData("int32 a = 1; reserved \"last_name\";", "int32 a = 1; int32 lastName = 2;", "reserved as the name 'last_name'")]
    [InlineData("int32 a = 1; reserved \"lastName\";", "int32 a = 1; int32 last_name = 2;", "reserved as the name 'lastName'")]
    [InlineData("int32 a = 1; reserved \"last_name\";", "int32 a = 1; int32 last_names = 2;", null)]
    public void A_name_in_JSON_is_either_one_of_a_field(string before, string after, string? says)
    {
        var found = Texts.Compare($"message A {{ {before} }}", $"message A {{ {after} }}", isJson: true).Findings
            .Where(static finding => finding.Rule != ContractRule.Behind).ToList();
        if (says is null)
        {
            Assert.Empty(found);
            return;
        }

        var finding = Assert.Single(found);
        Assert.Equal("MUX0085", finding.Id);
        Assert.Contains(says, finding.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_new_required_field_with_a_reserved_name_breaks_both_rules_and_is_new()
    {
        var before = Texts.Read("/* required */ message A { reserved \"b\"; }");
        var found = ContractComparison.Of(before.Set, before.Services, Texts.Read("message A { required int32 b = 2; }").Set, ContractLevel.Json);
        Assert.Equal(["MUX0085", "MUX0078"], found.Findings.Select(static finding => finding.Id));
        Assert.Contains(found.Notes, static note => note.What == "new field 2");
    }

    [Theory]
    [InlineData("int64 a = 1;")]
    [InlineData("int32 b = 1;")]
    [InlineData("int32 a = 1; int32 b = 2;")]
    [InlineData("int32 a = 1 [deprecated = true];")]
    public void A_file_that_does_not_say_what_the_code_has_is_behind(string fields)
    {
        var finding = Assert.Single(Texts.Compare("message A { int32 a = 1; }", $"message A {{ {fields} }}").Findings);
        Assert.Equal("MUX0086", finding.Id);
        Assert.NotNull(finding.CurrentMember);
    }

    [Theory]
    [InlineData("int32 a = 1;", "int32 a = 1 [(mux.field).bits = 16];")]
    [InlineData("map<int32, int32> a = 1;", "map<int32, int32> a = 1 [(mux.field).bits = 8, (mux.field).key_bits = 16];")]
    [InlineData("optional int32 a = 1;", "optional int32 a = 1 [(mux.field).absent = \"3\"];")]
    [InlineData("int32 a = 1;", "int32 a = 1;")]
    public void A_file_of_an_earlier_version_is_behind_where_fields_say_more_now(string before, string after)
    {
        const string exact = "service S { option (mux.service) = { exact_fields: true }; rpc Do(A) returns (google.protobuf.Empty); }";
        var finding = Assert.Single(Texts.Compare($"message A {{ {before} }}", $"message A {{ {after} }} {exact}").Findings);
        Assert.Equal(("MUX0086", "t.S"), (finding.Id, finding.Element));
        Assert.DoesNotContain(Texts.Compare($"message A {{ {after} }} {exact}", $"message A {{ {before} }}").Findings, static finding => finding.Rule != ContractRule.Behind);
    }

    [Fact]
    public void A_file_without_a_new_service_or_method_is_behind()
    {
        const string before = "message A { } service S { rpc Do(A) returns (A); }";
        Assert.Equal(["MUX0086"], Texts.Compare(before, before + " service T { }").Findings.Select(static finding => finding.Id));
        Assert.Equal(["MUX0086"], Texts.Compare(before, "message A { } service S { rpc Do(A) returns (A); rpc Go(A) returns (A); }").Findings.Select(static finding => finding.Id));
    }

    [Fact]
    public void A_change_that_only_fingerprints_show_leaves_the_file_behind()
    {
        const string before = "message A { } service S { rpc Do(A) returns (A) { option (mux.method) = { request_fingerprint: 1 }; } }";
        var finding = Assert.Single(Texts.Compare(before, before.Replace(": 1", ": 2", StringComparison.Ordinal)).Findings);
        Assert.Equal(("MUX0086", "t.S.Do"), (finding.Id, finding.Element));
    }

    [Fact]
    public void Names_in_JSON_count_only_where_they_are_asked_for()
    {
        Assert.All(RuleCases.All.Where(static change => change.IsJson), static change =>
            Assert.All(Texts.Compare(change.Before, change.After).Findings, static finding => Assert.Equal(ContractRule.Behind, finding.Rule)));
    }

    [Theory]
    [InlineData("int32 last_name = 1;", "int32 b = 2; reserved 1; reserved \"lastName\";", null)]
    [InlineData("int32 last_name = 1;", "int32 b = 2; reserved 1; reserved \"last_name\";", null)]
    [InlineData("int32 lastName = 1;", "int32 b = 2; reserved 1; reserved \"last_name\";", null)]
    [InlineData("int32 last_name = 1;", "int32 b = 2; reserved 1; reserved \"LastName\";", "the name 'last_name' in JSON and is free")]
    [InlineData("int32 last_name = 1;", "int32 b = 2; reserved 1; reserved \"last_Name\";", null)]
    [InlineData("int32 last_name = 1;", "int32 b = 2; reserved 1;", "the name 'last_name' in JSON and is free")]
    [InlineData("int32 last_name = 1 [json_name = \"surname\"];", "int32 b = 2; reserved 1; reserved \"last_name\";", "the name 'surname' in JSON and is free")]
    [InlineData("int32 last_name = 1 [json_name = \"surname\"];", "int32 b = 2; reserved 1; reserved \"surname\";", "the name 'last_name' in JSON and is free")]
    [InlineData("int32 last_name = 1 [json_name = \"surname\"];", "int32 b = 2; reserved 1; reserved \"surname\", \"lastName\";", null)]
    [InlineData("int32 last_name = 1 [json_name = \"sur-name\"];", "int32 b = 2; reserved 1; reserved \"last_name\";", null)]
    [InlineData("int32 a = 1; reserved \"last_name\";", "int32 a = 1; reserved \"lastName\";", null)]
    [InlineData("int32 a = 1; reserved \"last_name\";", "int32 a = 1; reserved \"LastName\";", "no longer reserves the name 'last_name'")]
    [InlineData("int32 a = 1; reserved \"lastName\";", "int32 a = 1; int32 last_name = 2 [json_name = \"surname\"];", "reserved as the name 'lastName'")]
    [InlineData("int32 a = 1; reserved \"lastName\";", "int32 a = 1; int32 b = 2 [json_name = \"last_name\"];", "reserved as the name 'lastName'")]
    public void A_name_that_goes_between_two_files_is_reserved_by_each_name_that_JSON_has_of_it(string before, string after, string? says)
    {
        var found = Between($"message A {{ {before} }}", $"message A {{ {after} }}").Where(static one => one.StartsWith("MUX0085", StringComparison.Ordinal));
        if (says is null) Assert.Empty(found);
        else Assert.Contains(says, Assert.Single(found), StringComparison.Ordinal);
    }

    [Fact]
    public void Messages_that_contain_each_other_are_compared_once()
    {
        const string before = "message A { A a = 1; B b = 2; } message B { repeated A a = 1; int32 c = 2; }";
        var finding = Assert.Single(Texts.Compare(before, before.Replace("int32 c = 2;", "", StringComparison.Ordinal)).Findings);
        Assert.Equal("t.B.c", finding.Element);
    }

    [Fact]
    public void Every_rule_for_two_contracts_has_a_case()
    {
        var expected = Enum.GetValues<ContractRule>().Except([ContractRule.Behind, ContractRule.Unreadable]).Select(static rule => $"MUX00{(int)rule}");
        Assert.Equal(expected.Order(), RuleCases.All.Select(static change => change.Id).Distinct().Order());
    }

    private static List<string> Find(string before, string after) =>
        [.. Texts.Compare(before, after).Findings.Where(static finding => finding.Rule != ContractRule.Behind).Select(static finding => finding.Id)];

    private static List<string> Between(string before, string after)
    {
        var recorded = Texts.Read(before);
        var findings = ContractComparison.Of(recorded.Set, recorded.Services, Texts.Read(after).Set, ContractLevel.Json, isBetweenFiles: true).Findings;
        return [.. findings.Select(static finding => $"{finding.Id} '{finding.Element}' {finding.Change}")];
    }
}
