using System.CommandLine;
using System.CommandLine.Parsing;
using System.Net.Sockets;
using Mux.Tool.Chaos;
using Mux.Tool.Reporting;

namespace Mux.Tool.Commands;

/// <summary><c>mux chaos</c>: a fault proxy between clients and a server.</summary>
internal static class ChaosCommand
{
    private const string Expected = "expected host:port, mux://host:port or muxs://host:port";

    public static Command Create()
    {
        var listen =
            Address("LISTEN", "Address for clients: host:port, mux://host:port or muxs://host:port; port 0 picks a free one");
        var target = Address("TARGET", "The server, with the same kinds of addresses; TLS passes through as it is");
        var seed = CheckedOption.Number(
            "--seed", 0, int.MaxValue, "Seed of a run to replay: the same connections have faults, at the same bytes",
            "a new one, printed");
        var buffer = CheckedOption.Bytes(
            "--buffer", ChaosOptions.DefaultBufferBytes, 65_536, 268_435_456,
            "Bytes under way in one direction of a connection; then the sender waits");
        var connections = CheckedOption.Number("--max-connections", ChaosOptions.DefaultMaxConnections, 1, 65_536,
            "Connections at once; more wait");
        var quiet = new Option<bool>("--quiet")
        {
            Description = "Show no progress, only the address, the seed and the summary",
        };
        var untilStdinEnds = new Option<bool>("--until-stdin-ends")
        {
            Description =
                "Stop when the standard input ends, not at Ctrl-C: for programs that start the proxy and may be killed",
        };
        var faults = new FaultOptions();
        var command = new ToolCommand("chaos",
            "A TCP proxy that does to connections what networks do, until Ctrl-C or SIGTERM. Prints its address when it listens, and its seed.")
        {
            Arguments = { listen, target },
            Examples =
            [
                new("mux chaos 127.0.0.1:7171 127.0.0.1:7070 --delay 50ms --jitter 10ms", "A slow network"),
                new("mux chaos 127.0.0.1:7171 127.0.0.1:7070 --reset-at 1-5k --share 10%",
                    "Every tenth connection breaks early"),
                new("mux chaos 127.0.0.1:0 db:7070 --half-open --start 10s --duration 5s",
                    "5 seconds of silence, once"),
                new("mux chaos 127.0.0.1:0 db:7070 --stall --duration 1s --every 30s",
                    "Stalls for a second, twice a minute"),
            ],
        };
        faults.AddTo(command);
        command.Add(OptionGroup.Connections, buffer, connections, untilStdinEnds);
        command.Add(OptionGroup.Occurrence, seed);
        command.Add(OptionGroup.Results, quiet);
        command.SetAction((result, _) => RunAsync(
            new ChaosOptions
            {
                Listen = result.GetRequiredValue(listen).Address,
                Target = TargetOf(result.GetRequiredValue(listen), result.GetRequiredValue(target)),
                Seed = result.GetValue(seed) ?? ChaosProxy.NewSeed(),
                BufferBytes = (int)result.GetValue(buffer).Value,
                MaxConnections = result.GetValue(connections),
            },
            faults.Read(result),
            result.GetValue(quiet),
            result.GetValue(untilStdinEnds)));
        return command;
    }

    private static Argument<ChaosAddress> Address(string name, string description) => new(name)
    {
        Description = description,
        CustomParser = result => Parse(result, name),
    };

    private static ChaosAddress? Parse(ArgumentResult result, string name)
    {
        var text = result.Tokens[0].Value;
        if (text.Contains(',', StringComparison.Ordinal))
        {
            result.AddError($"{name} '{text}': expected one address. For several servers start a 'mux chaos' for each, and give clients the list of the " +
                "proxies.");
            return null;
        }

        bool hasScheme = text.Contains("://", StringComparison.Ordinal);
        var full = hasScheme ? text : $"{MuxAddress.TcpScheme}://{text}";
        if (!MuxAddress.TryParse(full, out var address, out var failure)) result.AddError($"{name}: {failure}");
        else if (address.Scheme is MuxAddress.TcpScheme or MuxAddress.TlsScheme)
            return new ChaosAddress(address, hasScheme);
        else result.AddError($"{name} '{text}': {Expected}; the proxy is for TCP.");
        return null;
    }

    /// <summary>
    /// The server, with the scheme that clients use: TLS passes through, so one scheme that is written holds for both
    /// addresses.
    /// </summary>
    /// <exception cref="ToolException">The addresses cannot work together, or the target has no port.</exception>
    private static MuxAddress TargetOf(ChaosAddress listen, ChaosAddress target)
    {
        var address = target.Address;
        if (address.Port == 0)
            throw new ToolException(ExitCode.Usage, $"TARGET: '{address}' has port 0: expected 1 to 65535.");
        if (listen.Address.Scheme == address.Scheme || !listen.HasScheme) return address;
        if (!target.HasScheme)
            return MuxAddress.Parse($"{listen.Address.Scheme}{address.ToString()[address.Scheme.Length..]}");
        throw new ToolException(ExitCode.Usage,
            $"LISTEN '{listen.Address}' and TARGET '{address}' have different schemes: the proxy neither adds nor " +
            "removes TLS. Expected mux at both, or muxs at both.");
    }

    private static async Task<int> RunAsync(ChaosOptions options, ChaosPlan plan, bool isQuiet, bool untilStdinEnds)
    {
        using var stop = new StopSignal(untilStdinEnds);
        bool isForReader = !isQuiet && !untilStdinEnds; // a program may have read the address, and no more
        using var closing = isForReader ? ClosedOutput.Token.UnsafeRegister(static stop =>
            ((StopSignal)stop!).Request(), stop) : default;
        var proxy = Start(options, plan);
        await using var proxyEnd = proxy.ConfigureAwait(false);
        Console.WriteLine(proxy.Address);
        Console.WriteLine($"Seed {proxy.Seed}: --seed {proxy.Seed} replays the faults.");
        await ChaosProgress.ShowAsync(proxy, isQuiet, stop.Requested).ConfigureAwait(false);
        foreach (var line in ChaosSummary.Lines(proxy)) Console.WriteLine(PrintableText.Of(line));
        return isForReader && ClosedOutput.Token.IsCancellationRequested ? ExitCode.OutputClosed : ExitCode.Success;
    }

    private static ChaosProxy Start(ChaosOptions options, ChaosPlan plan)
    {
        try
        {
            return ChaosProxy.Start(options, plan);
        }
        catch (SocketException error)
        {
            throw new ToolException(ExitCode.Usage, $"LISTEN: Cannot listen at {options.Listen}: {error.Message}.",
                error);
        }
    }
}
