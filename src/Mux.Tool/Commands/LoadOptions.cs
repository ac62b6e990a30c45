using System.CommandLine;
using Mux.Tool.Load;
using Mux.Tool.Workloads;

namespace Mux.Tool.Commands;

/// <summary>What the commands that call a server have in common: which server, what is called, over how many connections.</summary>
internal sealed class LoadOptions
{
    private const int DefaultSize = 64;

    // The largest that a default server takes: 65,536 bytes per frame, less the heads of request and field.
    public const int LargestSize = 65_000;

    public const int MostConnections = 1024;

    private readonly Argument<MuxAddress?> _target = new("TARGET")
    {
        Description = "The server: mux://host:port or mux+unix:///path. Without it a server process of its own is started",
        Arity = ArgumentArity.ZeroOrOne,
        CustomParser = result => CheckedOption.Address(result, "TARGET"),
    };

    private readonly Option<string> _workload;
    private readonly Option<int> _connections = CheckedOption.Number("--connections", 10, 1, MostConnections, "Connections");
    private readonly Option<int> _size = CheckedOption.Number("--size", DefaultSize, 0, LargestSize, "Bytes of an echo");
    private readonly Option<string?> _congestion = CheckedOption.Congestion("the connections, and of the server that is started");
    private readonly HandlerOptions _handlers = new();

    private readonly bool _isGrid;

    /// <param name="workload">What is called unless another is chosen.</param>
    /// <param name="isGrid">Whether the command has options of its own for connections and size, which take several.</param>
    public LoadOptions(Workload workload = Workload.Employee, bool isGrid = false)
    {
        _isGrid = isGrid;
        _workload = CheckedOption.Choice("--workload", workload, "What is called");
    }

    public void AddTo(Command command)
    {
        command.Arguments.Add(_target);
        command.Options.Add(_workload);
        if (!_isGrid)
        {
            command.Options.Add(_connections);
            command.Options.Add(_size);
        }

        command.Options.Add(_congestion);
        _handlers.AddTo(command);
    }

    /// <summary>Everything but the concurrency, the rate and the times, which the commands have in ways of their own.</summary>
    /// <exception cref="ToolException">Options contradict each other.</exception>
    public BenchConfiguration Read(ParseResult result)
    {
        var workload = result.Chosen<Workload>(_workload);
        var configuration = new BenchConfiguration
        {
            Target = result.GetValue(_target),
            Workload = workload,
            Size = workload == Workload.Echo && !_isGrid ? result.GetValue(_size) : null,
            Connections = _isGrid ? 1 : result.GetValue(_connections),
            InFlight = 1,
            Warmup = TimeSpan.Zero,
            Duration = TimeSpan.Zero,
            CongestionControl = result.GetValue(_congestion),
            Handlers = _handlers.Read(result),
        };
        Check(configuration, sizeIsGiven: !_isGrid && result.GetResult(_size) is { Implicit: false });
        return configuration;
    }

    public static ToolException Wrong(string message) => new(ExitCode.Usage, message);

    /// <summary>Which replies are slow goes by the number of the call, which not every request has room for.</summary>
    /// <exception cref="ToolException">Its requests have none.</exception>
    public static void CheckNumbered(BenchConfiguration configuration)
    {
        if (!configuration.Handlers.HasSlow) return;
        if (configuration.Workload == Workload.Empty) throw Wrong("--slow needs requests that carry a number, which those of --workload empty do not: expected employee or echo.");
        if (configuration.Size < EchoNumber.Length) throw Wrong($"--slow needs requests that carry a number: --size {configuration.Size} is too small for one, expected {EchoNumber.Length} to {LargestSize}.");
    }

    private static void Check(BenchConfiguration configuration, bool sizeIsGiven)
    {
        if (sizeIsGiven && configuration.Size is null) throw Wrong("--size applies to --workload echo only.");
        CheckNumbered(configuration);
        if (configuration.Target is not { } target) return;
        if (!configuration.Handlers.IsPlain) throw Wrong("--slow, --handler-cost and --workers apply to the server that is started: give them to the 'mux serve' of TARGET.");
        if (target is { Scheme: MuxAddress.TcpScheme, Port: 0 }) throw Wrong($"TARGET: '{target}' has port 0: expected 1 to 65535.");
        if (target.Scheme != MuxAddress.TcpScheme && configuration.CongestionControl is not null) throw Wrong("--congestion applies to TCP addresses only.");
    }
}
