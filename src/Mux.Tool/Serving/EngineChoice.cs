using System.CommandLine;
using System.Reflection;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Tool.Commands;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;
using Mux.Transports.Tls;
using Mux.Transports.WebSockets;

namespace Mux.Tool.Serving;

/// <summary>The engine that moves the bytes of this process: one of Mux, or a transport from an unknown assembly. Chosen once, before a command runs.</summary>
internal static class EngineChoice
{
    public const string Portable = "portable";
    public const string Epoll = "epoll";
    public const string Streams = "streams";

    private const string OptionName = "--engine";

    private static ITransport? s_loaded; // from an assembly

    /// <summary>The engine option of all commands with connections. A server that a bench starts gets it passed on.</summary>
    public static Option<string> Option { get; } = new(OptionName)
    {
        Description = "Engine that moves the bytes: epoll, portable, streams, NAME for Mux.Transports.NAME.dll next to this tool, or the path of such a file",
        HelpName = "NAME",
        DefaultValueFactory = _ => Default,
    };

    public static Option<int?> Loops { get; } = new("--loops")
    {
        Description = "Event loops of the epoll engine in each process (1 to 1024) [default: as many as Mux uses]",
        HelpName = "N",
    };

    public static Option<string?> PollTime { get; } = new("--poll-time")
    {
        Description = "Time for which a loop of the epoll engine polls before it sleeps (0us to 20us) [default: 20us]",
        HelpName = "TIME",
    };

    /// <summary>The name as it was given.</summary>
    public static string Name { get; private set; } = Default;

    /// <summary>True if it was given.</summary>
    public static bool IsChosen { get; private set; }

    /// <summary>Null if it was not given.</summary>
    public static int? LoopCount { get; private set; }

    /// <inheritdoc cref="LoopCount"/>
    public static TimeSpan? Polling { get; private set; }

    private static string Default => EpollTransport.IsSupported ? Epoll : Portable;

    /// <summary>Adds the options to a command that has connections.</summary>
    public static void AddTo(ToolCommand command) => command.Add(OptionGroup.Connections, Option, Loops, PollTime);

    /// <exception cref="ToolException">The engine does not exist, or has no loops.</exception>
    public static void Choose(ParseResult parsed)
    {
        Name = parsed.GetValue(Option) ?? Default; // commands without connections have no such option
        IsChosen = parsed.IsGiven(Option);
        LoopCount = parsed.GetValue(Loops);
        if (parsed.GetValue(PollTime) is { } polling)
        {
            Polling = Duration.TryParse(polling, out var time) ? time.Value
                : throw new ToolException(ExitCode.Usage, $"--poll-time '{polling}': expected 0us to 20us.");
        }

        s_loaded = IsOfMux ? null : Load(Name);
        if (Name == Epoll && !EpollTransport.IsSupported) throw Wrong(Name, "it needs Linux");
        if (Name != Epoll && (LoopCount ?? (object?)Polling) is not null) throw Wrong(Name, "--loops and --poll-time apply to the epoll engine only");
        if (Name == Epoll) (MakeTransport(congestionControl: null) as IDisposable)!.Dispose(); // reports wrong options before a server is started with them
    }

    /// <summary>Creates a transport of the chosen engine, or the transport of an address without an engine.</summary>
    /// <exception cref="ToolException">The transport does not support the options.</exception>
    public static ITransport MakeTransport(MuxAddress address, LinkOptions links)
    {
        if (address.Scheme is MuxAddress.TcpScheme or MuxAddress.UnixScheme) return MakeTransport(links.CongestionControl);
        if (address.Scheme == MuxAddress.TlsScheme) return MakeTls(links);
        if (IsChosen) throw Wrong(Name, $"engines are for sockets, which '{address}' does not use");
        return address.Scheme switch
        {
            MuxAddress.PipeScheme => new NamedPipeTransport(NullLogger.Instance, TimeProvider.System),
            _ => new WebSocketTransport(),
        };
    }

    /// <summary>True if the engine is one of Mux; others are loaded from an assembly.</summary>
    public static bool IsOfMux => Name is Portable or Epoll or Streams;

    /// <summary>Describes what moves the bytes of connections with an address.</summary>
    public static string NameFor(MuxAddress address) => address.Scheme switch
    {
        MuxAddress.TcpScheme or MuxAddress.UnixScheme => Name,
        MuxAddress.TlsScheme => $"{Name}, TLS",
        MuxAddress.PipeScheme => "named pipes",
        _ => "websocket",
    };

    private static TlsTransport MakeTls(LinkOptions links)
    {
        var server = links.CertificatePath is null ? null
            : new TlsServerOptions { CertificatePath = links.CertificatePath, CertificateKeyPath = links.CertificateKeyPath };
        var client = new TlsClientOptions
        {
            TrustedRootsPath = links.TrustedRootsPath,
            CertificatePath = links.ClientCertificatePath,
            CertificateKeyPath = links.ClientCertificateKeyPath
        };
        try
        {
            return new TlsTransport(server, client, MakeTransport(links.CongestionControl), NullLogger.Instance, TimeProvider.System);
        }
        catch (ArgumentException error)
        {
            throw new ToolException(ExitCode.Usage, error.Message);
        }
    }

    private static ITransport MakeTransport(string? congestionControl)
    {
        if (s_loaded is { } loaded) return congestionControl is null ? loaded : throw Wrong(Name, "--congestion is for the engines of Mux");
        if (Name == Streams) return new TcpStreamTransport(congestionControl);
        if (Name == Portable)
        {
            return new SocketTransport(new SocketTransportOptions { CongestionControl = congestionControl }, NullLogger.Instance, TimeProvider.System);
        }

        var options = new EpollTransportOptions { CongestionControl = congestionControl };
        if (LoopCount is { } loops) options.LoopCount = loops;
        if (Polling is { } polling) options.PollTime = polling;
        try
        {
            return new EpollTransport(options, NullLogger.Instance, TimeProvider.System);
        }
        catch (ArgumentException error)
        {
            throw new ToolException(ExitCode.Usage, error.Message);
        }
    }

    private static ITransport Load(string name)
    {
        var file = FileOf(name)
            ?? throw Wrong(name, $"expected {Epoll}, {Portable}, {Streams}, NAME for Mux.Transports.NAME.dll in {AppContext.BaseDirectory}, or the path of " +
            "such a file");
        try
        {
            var types = Assembly.LoadFrom(file).GetExportedTypes()
                .Where(type => type.IsClass && type.IsAssignableTo(typeof(ITransport)) && type.GetConstructor([]) is not null).ToArray();
            return types is [var only] ? (ITransport)Activator.CreateInstance(only)!
                : throw Wrong(name, $"{file} has {types.Length} transports with a parameterless constructor; expected one");
        }
        catch (Exception error) when (error is IOException or BadImageFormatException or TypeLoadException)
        {
            throw Wrong(name, error.Message.TrimEnd('.'));
        }
    }

    private static string? FileOf(string name)
    {
        if (name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)) return File.Exists(name) ? Path.GetFullPath(name) : null;
        var wanted = $"Mux.Transports.{name}.dll";
        return Directory.EnumerateFiles(AppContext.BaseDirectory, "*.dll")
            .FirstOrDefault(file => Path.GetFileName(file).Equals(wanted, StringComparison.OrdinalIgnoreCase));
    }

    private static ToolException Wrong(string name, string reason) => new(ExitCode.Usage, $"{OptionName} '{name}': {reason}.");
}
