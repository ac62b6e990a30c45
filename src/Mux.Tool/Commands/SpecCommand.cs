using System.CommandLine;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;
using Mux.Tool.Reporting;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary><c>mux spec</c>: what a server makes of bad input.</summary>
internal static class SpecCommand
{
    private const string AllSplits = "all";

    private static readonly string[] s_splits = [.. Enum.GetNames<SpecSplit>().Select(name => name.ToLowerInvariant()), AllSplits];

    public static Command Create()
    {
        var address = new Argument<MuxAddress>("ADDRESS")
        {
            Description = $"The server: {CheckedOption.Addresses}",
            CustomParser = result => CheckedOption.Address(result, "ADDRESS"),
        };
        var method = new Option<string>("--method")
        {
            Description = "A unary method that answers with what it is sent; one that cannot decode it may refuse it with InvalidArgument",
            HelpName = "SERVICE/METHOD",
            DefaultValueFactory = _ => SpecMethods.Echo,
            CustomParser = result =>
            {
                var text = result.Tokens[0].Value;
                if (text.Split('/') is [{ Length: > 0 }, { Length: > 0 }] && System.Text.Encoding.UTF8.GetByteCount(text) <= 256) return text;
                result.AddError($"--method '{text}': expected the names of a service and a method with a slash between them, 256 bytes at most, such as {SpecMethods.Echo}.");
                return null;
            },
        };
        var split = new Option<string>("--split")
        {
            Description = $"In which pieces every input is sent: {string.Join(", ", s_splits)}",
            HelpName = "NAME",
            DefaultValueFactory = _ => AllSplits,
            CustomParser = result =>
            {
                var text = result.Tokens[0].Value;
                if (s_splits.Contains(text)) return text;
                result.AddError($"--split '{text}': expected one of {string.Join(", ", s_splits)}.");
                return null;
            },
        };
        var filter = new Option<string?>("--filter") { Description = "Only the cases of a row of PROTOCOL.md, such as 46, or with this in their names", HelpName = "TEXT" };
        var timeout = CheckedOption.Time("--timeout", TimeSpan.FromSeconds(10), TimeSpan.FromMilliseconds(100), TimeSpan.FromMinutes(10), "How long a case may take, each time it is sent");
        var roots = new Option<string?>("--roots") { Description = "The roots to trust at a muxs address: PEM [default: the system's]", HelpName = "FILE" };
        var identity = new IdentityOptions("ADDRESS");
        var junit = CheckedOption.OutputFile("--junit", "Write the result to this file as well, as build servers read it");

        var command = new Command("spec", "Sends a server what no peer should send, case by case as PROTOCOL.md lists them, and holds what it does against what it has to do.")
        {
            address, method, split, filter, timeout, roots, junit,
        };
        identity.AddTo(command);
        command.SetAction((result, _) => RunAsync(
            new SpecPlan
            {
                Address = result.GetRequiredValue(address),
                Method = result.GetRequiredValue(method),
                Splits = SplitsOf(result.GetRequiredValue(split)),
                Filter = result.GetValue(filter),
                Timeout = result.GetValue(timeout).Value,
                Links = identity.Read(result, new LinkOptions { TrustedRootsPath = result.GetValue(roots) }, result.GetRequiredValue(address)),
            },
            result.GetValue(junit)));
        return command;
    }

    private static SpecSplit[] SplitsOf(string name) => name == AllSplits ? Enum.GetValues<SpecSplit>() : [Enum.Parse<SpecSplit>(name, ignoreCase: true)];

    private static async Task<int> RunAsync(SpecPlan plan, string? junitFile)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        var session = new SpecSession(plan);
        var junit = OutputFile.Open("--junit", junitFile);
        await using var junitEnd = junit.ConfigureAwait(false);
        var cases = await SpecProgress.ShowAsync(session.Count, report => session.RunAsync(report, interrupt.Token)).ConfigureAwait(false);
        foreach (var line in SpecTable.Lines(cases)) Console.WriteLine(line);
        var interruption = cases.Count < session.Count ? $"Interrupted: {cases.Count} of {session.Count} cases were played." : null;
        if (interruption is not null) Console.Error.WriteLine($"mux spec: {interruption}");
        await junit.WriteAsync(JUnitReport.Write(plan.Address, cases, interruption)).ConfigureAwait(false);
        if (cases.Any(done => done.Verdict == SpecVerdict.Failed)) return ExitCode.Faulty;
        return interruption is null ? ExitCode.Success : ExitCode.Interrupted;
    }
}
