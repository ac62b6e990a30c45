using System.CommandLine;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;
using Mux.Tool.Reporting;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary><c>mux spec</c>: tests how a server or a client reacts to bad input.</summary>
internal static class SpecCommand
{
    private const string AllSplits = "all";

    private static readonly string[] s_splits = [.. Enum.GetNames<SpecSplit>().Select(name => name.ToLowerInvariant()), AllSplits];

    public static Command Create()
    {
        var address = new Argument<MuxAddress>("ADDRESS")
        {
            Description = $"The server to test: {CheckedOption.Addresses}",
            Arity = ArgumentArity.ZeroOrOne,
            CustomParser = result => CheckedOption.Address(result, "ADDRESS"),
        };
        var role = new SpecRole();
        var method = new Option<string>("--method")
        {
            Description = "A unary method of the server that returns the bytes of the request; it may reject bytes that it cannot decode with InvalidArgument",
            HelpName = "SERVICE/METHOD",
            DefaultValueFactory = _ => SpecMethods.Echo,
            CustomParser = result =>
            {
                var text = result.Tokens[0].Value;
                if (text.Split('/') is [{ Length: > 0 }, { Length: > 0 }] && System.Text.Encoding.UTF8.GetByteCount(text) <= 256) return text;
                result.AddError($"--method '{text}': expected the names of a service and a method with a slash between them, 256 bytes at most, such as " +
                    $"{SpecMethods.Echo}.");
                return null;
            },
        };
        var split = new Option<string>("--split")
        {
            Description = $"Split of every input into pieces: {string.Join(", ", s_splits)}",
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
        var filter = new Option<string?>("--filter", "--cases")
        {
            Description = "Only the cases of a row of PROTOCOL.md, such as 46, or with this in their names",
            HelpName = "TEXT",
        };
        var timeout = CheckedOption.Time(
            "--timeout", TimeSpan.FromSeconds(10), TimeSpan.FromMilliseconds(100), TimeSpan.FromMinutes(10), "Time limit of a case, each time it is sent");
        var roots = new Option<string?>("--roots") { Description = "The roots to trust at a muxs address: PEM [default: the system's]", HelpName = "FILE" };
        var identity = new IdentityOptions("ADDRESS", role.AllowPlaintext);
        var junit = CheckedOption.OutputFile("--junit", "Write the result to this file as well, in the JUnit format of build servers");
        var json = CheckedOption.OutputFile("--json", "Write the result to this file as well, for programs");
        var html = CheckedOption.OutputFile("--html", "Write the result as a page to this file as well");

        var command = new ToolCommand("spec", "Sends a server, or with --listen a client, input that no peer should send, case by case as PROTOCOL.md lists " +
            "them, and checks the reaction.")
        {
            Arguments = { address },
            Examples =
            [
                new("mux spec mux://127.0.0.1:7070", "Tests a server"),
                new("mux spec --filter 46 --split whole mux://127.0.0.1:7070", "Plays the cases of row 46 of PROTOCOL.md"),
                new("mux spec --listen", "Tests a client, which you start with the printed address"),
            ],
        };
        role.AddTo(command);
        command.Add(OptionGroup.Cases, method, split, filter, timeout);
        command.Add(OptionGroup.Results, junit, json, html);
        command.Add(OptionGroup.Connections, roots);
        EngineChoice.AddTo(command);
        identity.AddTo(command);
        command.SetAction((result, _) =>
        {
            var (listen, client) = role.Read(result, address, method);
            var target = listen ?? client ?? result.GetRequiredValue(address);
            if (listen is not null) identity.RefuseOfClients(result, "--listen");
            var links = identity.Read(result, new LinkOptions { TrustedRootsPath = result.GetValue(roots) }, target, isServer: listen is not null);
            if (client is not null) return CallAsync(client, links, role.WaitOf(result));
            var splits = SplitsOf(result.GetRequiredValue(split));
            var files = new SpecFiles(result.GetValue(junit), result.GetValue(json), result.GetValue(html));
            if (listen is not null)
            {
                return ListenAsync(
                    new ListenPlan
                    {
                        Address = listen,
                        Splits = splits,
                        Filter = result.GetValue(filter),
                        Timeout = result.GetValue(timeout).Value,
                        Stall = role.StallOf(result),
                        Wait = role.WaitOf(result),
                        Links = SpecRole.LinksOfServer(listen, links),
                    },
                    files);
            }

            return RunAsync(
                new SpecPlan
                {
                    Address = target,
                    Method = result.GetRequiredValue(method),
                    Splits = splits,
                    Filter = result.GetValue(filter),
                    Timeout = result.GetValue(timeout).Value,
                    Links = links
                }, files);
        });
        return command;
    }

    private static SpecSplit[] SplitsOf(string name) => name == AllSplits ? Enum.GetValues<SpecSplit>() : [Enum.Parse<SpecSplit>(name, ignoreCase: true)];

    private static async Task<int> RunAsync(SpecPlan plan, SpecFiles files)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        var session = new SpecSession(plan);
        var output = SpecOutput.Open(files);
        await using var outputEnd = output.ConfigureAwait(false);
        var cases = await SpecProgress.ShowAsync(session.Count, report => session.RunAsync(report, interrupt.Token)).ConfigureAwait(false);
        return await output.WriteAsync(new SpecReport(plan.Address, SpecReport.Server, cases, Interruption(cases.Count, session.Count))).ConfigureAwait(false);
    }

    private static async Task<int> ListenAsync(ListenPlan plan, SpecFiles files)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        using var session = new ListenSession(plan);
        var output = SpecOutput.Open(files);
        await using var outputEnd = output.ConfigureAwait(false);
        Console.WriteLine($"Listening at {session.Address}");
        Console.Error.WriteLine($"mux spec: Waiting for a client. Start yours with this address, or 'mux spec --client {session.Address}'.");
        var cases = await SpecProgress.ShowAsync(session.Count, report => session.RunAsync(report, interrupt.Token)).ConfigureAwait(false);
        return await output.WriteAsync(new SpecReport(session.Address, SpecReport.Client, cases, session.Abandoned ?? Interruption(cases.Count, session.Count)))
            .ConfigureAwait(false);
    }

    private static async Task<int> CallAsync(MuxAddress address, LinkOptions links, TimeSpan patience)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        int rounds = await ReadyClient.RunAsync(address, links, patience, interrupt.Token).ConfigureAwait(false);
        Console.WriteLine($"{rounds} rounds; {address} ended the test");
        return ExitCode.Success;
    }

    private static string? Interruption(int played, int count) => played < count ? $"Interrupted: {played} of {count} cases were played." : null;
}
