using Evidence.Restarts;
using Mux.Discovery;
using Mux.Discovery.Etcd;

namespace Evidence.Fleets;

/// <summary>What runs in the process of a <see cref="FleetServer"/>: serves until its standard input ends, and prints the number of its connections for each line.</summary>
internal static class FleetProgram
{
    /// <summary>Attempts that it allows itself for the calls to the servers behind it.</summary>
    public const int Attempts = 3;

    private const int Unset = 0;
    private const int MostMilliseconds = 3_600_000;

    public static async Task ServeAsync(CommandLine options)
    {
        using var log = options.Text("--log", string.Empty) is { Length: > 0 } path ? new ExecutionLog(path) : null;
        await using var behind = options.Text("--behind", string.Empty) is { Length: > 0 } address
            ? MuxChannel.Create(new MuxChannelOptions { Address = address, Resilience = { Attempts = Attempts } })
            : null;
        var settings = new MuxServerOptions { Address = $"mux://{options.Text("--host", "127.0.0.1")}:{options.Count("--port", 0, 0, 65_535)}", AllowPlaintext = true };
        if (MillisecondsOf("--keep-alive") is { } silence) settings.KeepAliveTime = silence;
        if (MillisecondsOf("--keep-alive-timeout") is { } patience) settings.KeepAliveTimeout = patience;
        if (MillisecondsOf("--max-age") is { } age) settings.MaxConnectionAge = age;
        if (options.Count("--max-handlers", Unset, 0, 1_000_000) is not Unset and var places) settings.Limits.MaxHandlers = places;
        await using var server = new MuxServer(settings).AddService<IFleet>(new FleetService(options.Count("--number", 0, 0, 1_000), log, behind?.CreateProxy<IFleet>()));
        server.Start();
        using var registry = options.Text("--registry", string.Empty) is { Length: > 0 } target
            ? new EtcdEndpointRegistry(target, new EtcdRegistrationOptions { Lease = TimeSpan.FromSeconds(3) })
            : null;
        if (registry is not null) await registry.RegisterAsync(new MuxEndpoint(server.Address), CancellationToken.None);
        Console.WriteLine(server.Address);
        while (await Console.In.ReadLineAsync() is not null) Console.WriteLine(server.GetStatistics().OpenConnections);
        if (registry is not null) await registry.DeregisterAsync(CancellationToken.None);

        TimeSpan? MillisecondsOf(string name) => options.Count(name, Unset, 0, MostMilliseconds) is not Unset and var milliseconds ? TimeSpan.FromMilliseconds(milliseconds) : null;
    }

    /// <summary>The options of its command line.</summary>
    public static IReadOnlyCollection<string> Options { get; } = ["--number", "--host", "--port", "--log", "--behind", "--keep-alive", "--keep-alive-timeout", "--max-age", "--max-handlers",
        "--registry"];
}
