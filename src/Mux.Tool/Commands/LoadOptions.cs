using System.CommandLine;
using Mux.Tool.Load;
using Mux.Tool.Serving;
using Mux.Tool.Workloads;

namespace Mux.Tool.Commands;

/// <summary>Options common to the commands that call a server: the server, the calls and the connections.</summary>
internal sealed class LoadOptions
{
    public const int MostConnections = 1024;

    /// <summary>Workloads for commands that need calls of one kind, with a rate.</summary>
    public static readonly Workload[] SmallCalls = [Workload.Employee, Workload.Echo, Workload.Empty];

    private readonly Argument<TargetAddress?> _target;

    private readonly Option<string> _workload;
    private readonly Option<int?> _connections;
    private readonly Option<ByteCount?> _size;
    private readonly Option<string?> _congestion = CongestionOption.Create(
        "the connections, also at the server that the command starts",
        "on loopback reno, which does not pace, if the system has it; otherwise the system's choice");
    private readonly Option<bool> _tls = new("--tls") { Description = "Use TLS, with a certificate made for the server that the command starts" };
    private readonly Option<string?> _roots =
        new("--roots") { Description = "The roots to trust at a muxs address: PEM [default: the system's]", HelpName = "FILE" };
    private readonly Option<string> _profile = ChoiceOption.Create("--profile", MuxProfile.Edge, "Default limits");
    private readonly Option<MuxMetadata?> _metadata = CallMetadata.Create();
    private readonly IdentityOptions _identity = new("TARGET");
    private readonly HandlerOptions _handlers = new();

    private readonly bool _isGrid;
    private readonly bool _takesSeveral;

    /// <param name="workload">Default workload.</param>
    /// <param name="isGrid">True if the command has its own options for connections and size, which take several values.</param>
    /// <param name="allowed">Allowed workloads; empty for all.</param>
    public LoadOptions(Workload workload = Workload.Employee, bool isGrid = false, params Workload[] allowed)
    {
        _isGrid = isGrid;
        // A help text tells only the defaults of workloads that the command has.
        bool hasAll = allowed.Length == 0;
        _workload = ChoiceOption.Create("--workload", workload, "The kind of calls", hasAll ? WorkloadTraits.Own : allowed);
        _takesSeveral = hasAll; // other commands look for the limit of one server
        _target = new("TARGET")
        {
            Description = $"The server: {CheckedOption.Addresses}. {(hasAll ? $"Or several: {CheckedOption.Lists}. " : "")}Without it, the command starts a " +
                "server process of its own",
            Arity = ArgumentArity.ZeroOrOne,
            CustomParser = result => CheckedOption.Target(result, "TARGET"),
        };
        _connections = CheckedOption.Number("--connections", 1, MostConnections, "Connections", hasAll ? "10; of streams, bulk and mixed 1" : "10", "-c");
        _size = CheckedOption.Bytes(
            "--size", 0, int.MaxValue, hasAll ? "Bytes of an echo, of bulk, of an item of bulk-stream, of a large reply of mixed" : "Bytes of an echo",
            hasAll ? "64, 1 MiB, 64 KiB, 4 MiB" : "64");
    }

    public void AddTo(ToolCommand command)
    {
        command.Arguments.Add(_target);
        command.Add(OptionGroup.Calls, _workload);
        if (!_isGrid)
        {
            command.Add(OptionGroup.Load, _connections);
            command.Add(OptionGroup.Calls, _size);
        }

        command.Add(OptionGroup.Calls, _metadata);
        command.Add(OptionGroup.Connections, _tls, _roots, _congestion);
        EngineChoice.AddTo(command);
        _identity.AddTo(command);
        command.Add(OptionGroup.Server, _profile);
        _handlers.AddTo(command);
    }

    /// <summary>Reads everything but the concurrency, the rate and the times, for which the commands have their own options.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="hasMethod">True if it names a method in place of a workload.</param>
    /// <exception cref="ToolException">Options contradict each other.</exception>
    public BenchConfiguration Read(ParseResult result, bool hasMethod = false)
    {
        var workload = hasMethod ? Workload.Method : result.Chosen<Workload>(_workload);
        if (hasMethod && _handlers.All.Append(_workload).Append(_profile).FirstOrDefault(result.IsGiven) is { } own)
            throw NotFor(own.Name, workload, traits => traits.IsCallsAlone);
        var traits = WorkloadTraits.Of(workload);
        var target = result.GetValue(_target);
        if (target is { Single: null } && !_takesSeveral) throw Wrong($"TARGET: '{target}' has several servers: only 'mux bench' takes them.");
        int? size = _isGrid ? null : (int?)result.GetValue(_size)?.Value;
        var configuration = new BenchConfiguration
        {
            Target = target,
            Workload = workload,
            Size = _isGrid ? null : size ?? traits.Size?.Default,
            Connections = (_isGrid ? null : result.GetValue(_connections)) ?? traits.Connections,
            InFlight = 1,
            Warmup = TimeSpan.Zero,
            Duration = TimeSpan.Zero,
            Links = _identity.Read(result, ReadLinks(result, target?.Sample), target?.Sample),
            Metadata = result.GetValue(_metadata),
            IsTls = result.GetValue(_tls),
            Profile = result.Chosen<MuxProfile>(_profile),
            Handlers = _handlers.Read(result),
        };
        if (size is not null) CheckSize(workload, size.Value);
        if (target is not null && result.IsGiven(_profile))
        {
            throw Wrong("--profile applies to the server that is started: give it to the 'mux serve' of TARGET.");
        }

        Check(configuration);
        return configuration;
    }

    public static ToolException Wrong(string message) => new(ExitCode.Usage, message);

    /// <summary>Creates the error for an option that the chosen workload does not support.</summary>
    public static ToolException NotFor(string option, Workload workload, Func<WorkloadTraits, bool> suits) => workload == Workload.Method
        ? Wrong($"{option} does not apply to a METHOD: it is for the workloads of 'mux serve'.")
        : Wrong($"{option} does not apply to --workload {WorkloadTraits.NameOf(workload)}: expected {WorkloadTraits.Names(suits)}.");

    /// <summary>Checks that requests carry a number: the number of the call decides which replies are slow.</summary>
    /// <exception cref="ToolException">The requests carry none.</exception>
    public static void CheckNumbered(BenchConfiguration configuration)
    {
        if (!configuration.Handlers.HasSlow) return;
        if (configuration.Workload == Workload.Empty)
        {
            throw Wrong("--slow needs requests that carry a number, which those of --workload empty do not: expected employee or echo.");
        }

        if (configuration.Size < EchoNumber.Length)
        {
            throw Wrong($"--slow needs requests that carry a number: --size {configuration.Size} is too small for one, expected {EchoNumber.Length} to " +
                $"{configuration.Traits.Size!.Max}.");
        }
    }

    private LinkOptions ReadLinks(ParseResult result, MuxAddress? target)
    {
        bool isChosen = result.IsGiven(_congestion) || !EngineChoice.IsOfMux;
        var (fallback, note) = isChosen ? (null, null) : CongestionControl.DefaultFor(target, CongestionControl.Check);
        return new()
        {
            CongestionControl = CongestionOption.Read(result, _congestion, fallback),
            CongestionNote = note,
            TrustedRootsPath = result.GetValue(_roots),
        };
    }

    private static void CheckSize(Workload workload, int size)
    {
        if (WorkloadTraits.Of(workload).Size is not { } range) throw NotFor("--size", workload, traits => traits.Size is not null);
        if (size < range.Min || size > range.Max) throw Wrong($"--size '{size}': expected {ByteCount.Expected(range.Min, range.Max)}.");
    }

    private static void Check(BenchConfiguration configuration)
    {
        if (!configuration.Handlers.IsPlain && !configuration.Traits.IsCallsAlone)
        {
            throw NotFor("--slow, --handler-cost or --workers", configuration.Workload, traits => traits.IsCallsAlone);
        }

        CheckNumbered(configuration);
        if (configuration.Links.TrustedRootsPath is not null && configuration.Target is not { Sample.Scheme: MuxAddress.TlsScheme })
        {
            throw Wrong("--roots is for a TARGET at a muxs address.");
        }

        if (configuration.Target is not { } target) return;
        if (configuration.IsTls) throw Wrong("--tls applies to the server that is started: give a TARGET with the scheme muxs.");
        if (!configuration.Handlers.IsPlain)
        {
            throw Wrong("--slow, --handler-cost and --workers apply to the server that is started: give them to the 'mux serve' of TARGET.");
        }

        CheckedOption.WithPort(target, "TARGET");
        if (target.Single is null && !configuration.Traits.IsCallsAlone)
        {
            throw NotFor("A TARGET with several servers", configuration.Workload, traits => traits.IsCallsAlone);
        }

        if (target.Sample.Scheme is not (MuxAddress.TcpScheme or MuxAddress.TlsScheme) && configuration.Links.CongestionControl is not null)
        {
            throw Wrong("--congestion applies to mux and muxs addresses only.");
        }
    }
}
