using System.CommandLine;
using Mux.Tool.Pinging;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary><c>mux ping</c>: tells whether servers answer, and how fast.</summary>
internal static class PingCommand
{
    public static Command Create()
    {
        var address = new Argument<TargetAddress>("ADDRESS")
        {
            Description = $"The server: {CheckedOption.Addresses}. Or several: {CheckedOption.Lists}",
            CustomParser = result => CheckedOption.Target(result, "ADDRESS"),
        };
        var count = CheckedOption.Number("--count", 1, 1_000_000_000, "Pings of each endpoint", "until Ctrl-C", "-n");
        var interval = CheckedOption.Time(
            "--interval", TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(1), TimeSpan.FromHours(1), "Time from one ping to the next", "-i");
        var timeout = CheckedOption.Time(
            "--timeout", TimeSpan.FromSeconds(5), TimeSpan.FromMilliseconds(1), TimeSpan.FromMinutes(10), "How long a connection, and a reply, may take", "-W");
        var roots = new Option<string?>("--roots") { Description = "The roots to trust at a muxs address: PEM [default: the system's]", HelpName = "FILE" };
        var identity = new IdentityOptions("ADDRESS");
        var output = ChoiceOption.Create(
            "--output", OutputFormat.Text, "Format of the standard output; json moves the text for people to the standard error stream", OutputFormat.Text,
            OutputFormat.Json);
        output.Aliases.Add("-o");
        var json = CheckedOption.OutputFile("--json", "Write the result to this file as well (schema mux.ping/1)");
        var quiet = new Option<bool>("--quiet") { Description = "Show only the table at the end", Aliases = { "-q" } };
        var command = new ToolCommand("ping",
            "Calls a server, one call after another on one connection, and tells how long connecting, the handshake and the round trips take. Any server of " +
            "Mux answers: the method that is called does not exist. A gateway answers by itself, unless a route such as '*' covers the service 'mux.ping': " +
            "then the server behind it answers.")
        {
            Arguments = { address },
            Examples =
            [
                new("mux ping mux://127.0.0.1:7070", "A call per second, until Ctrl-C"),
                new("mux ping -n 3 -q -o json mux+dns://orders.prod:7070", "Each server of a name, for a program"),
            ],
        };
        command.Add(OptionGroup.Calls, count, interval, timeout);
        command.Add(OptionGroup.Results, output, json, quiet);
        command.Add(OptionGroup.Connections, roots);
        EngineChoice.AddTo(command);
        identity.AddTo(command);
        command.SetAction((result, _) =>
        {
            var target = CheckedOption.WithPort(result.GetRequiredValue(address), "ADDRESS");
            if (result.GetValue(roots) is not null && target.Sample.Scheme != MuxAddress.TlsScheme)
            {
                throw new ToolException(ExitCode.Usage, "--roots is for an ADDRESS with the scheme muxs.");
            }

            var plan = new PingPlan
            {
                Target = target,
                Count = result.GetValue(count),
                Interval = result.GetValue(interval).Value,
                Timeout = result.GetValue(timeout).Value,
                Links = identity.Read(result, new LinkOptions { TrustedRootsPath = result.GetValue(roots) }, target.Sample),
            };
            bool isText = result.Chosen<OutputFormat>(output) == OutputFormat.Text;
            return RunAsync(plan, isText, result.GetValue(json), result.GetValue(quiet));
        });
        return command;
    }

    private static async Task<int> RunAsync(PingPlan plan, bool isText, string? jsonFile, bool isQuiet)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        var json = OutputFile.Open("--json", jsonFile);
        await using var jsonEnd = json.ConfigureAwait(false);
        var people = isText ? Console.Out : Console.Error;
        var outcome = await PingSession.RunAsync(plan, Report, interrupt.Token).ConfigureAwait(false);
        var result = ResultJson.Write(PingFile.Of(outcome));
        await OutputFile.WriteAndPrintAsync(Print, (json, result)).ConfigureAwait(false);
        return outcome.ExitCode;

        void Print()
        {
            Write(PingLines.Summary(outcome));
            if (!isText) Console.Out.WriteLine(System.Text.Encoding.UTF8.GetString(result));
        }

        void Report(PingReply reply)
        {
            if (!isQuiet) Write(PingLines.Of(reply));
        }

        void Write(IEnumerable<string> lines)
        {
            foreach (var line in lines) people.WriteLine(PrintableText.Of(line));
        }
    }
}
