using System.Text;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.Spec.Carriers;
using Mux.Spec.Servers;

namespace Mux.Spec.Table;

/// <summary>The table of README.md, from PROTOCOL.md and from what the tests of this project play.</summary>
internal static class CaseTable
{
    private static readonly Dictionary<string, BadInputCase> s_cases = BadInputCatalogue.All.Concat(PayloadCases.All).ToDictionary(badInput => badInput.Name);
    private static readonly HashSet<string> s_engine = [.. BadInputCatalogue.All.Select(badInput => badInput.Name)];
    private static readonly HashSet<string> s_servers = [.. ServerTests.Playable.Select(badInput => badInput.Name)];

    public static string Text()
    {
        var text = new StringBuilder();
        text.Append("| # | input | reaction | cases |").AppendJoin("", Enum.GetNames<Carrier>().Select(name => $" {name} |")).AppendLine(" Kestrel | proved by tests as well |");
        text.Append("|---|---|---|---|").Insert(text.Length, "---|", Enum.GetNames<Carrier>().Length + 2).AppendLine();
        foreach (var row in SpecRows.All) AppendRow(text, row);
        string[] beyond = [.. s_cases.Values.Where(badInput => SpecRows.NumberOf(badInput) is null).Select(badInput => badInput.Name)];
        AppendRow(text, new SpecRow(0, "beyond the table: every flag, id and limit, and good input that looks bad", "", beyond, [], ""));
        return text.ToString().ReplaceLineEndings("\n");
    }

    private static void AppendRow(StringBuilder text, SpecRow row)
    {
        var cases = row.Cases.Select(name => s_cases[name]).ToList();
        text.Append($"| {(row.Number == 0 ? "-" : row.Number)} | {row.Input} | {row.Reaction} | {(cases.Count == 0 ? "-" : cases.Count)} |");
        foreach (var _ in Enum.GetValues<Carrier>()) text.Append($" {Roles(cases)} |");
        text.Append($" {(cases.Exists(badInput => s_servers.Contains(badInput.Name)) ? "S" : "-")} | {Rest(row)} |\n");
    }

    /// <summary>In which roles the cases of a row are played over a carrier: the connection in both, and those about messages against servers.</summary>
    private static string Roles(List<BadInputCase> cases)
    {
        bool isServer = cases.Exists(badInput => s_servers.Contains(badInput.Name) || (s_engine.Contains(badInput.Name) && badInput.Accepting != false));
        bool isClient = cases.Exists(badInput => s_engine.Contains(badInput.Name) && badInput.Accepting != true);
        return (isServer, isClient) switch
        {
            (true, true) => "S C",
            (true, false) => "S",
            (false, true) => "C",
            _ => "-",
        };
    }

    private static string Rest(SpecRow row)
    {
        if (row.Tests.Count > 0) return string.Join(", ", row.Tests.Distinct().Select(test => $"`{test}`"));
        if (row.Proof.Contains("cannot occur", StringComparison.Ordinal)) return "cannot occur";
        return "";
    }
}
