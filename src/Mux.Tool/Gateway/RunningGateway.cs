using Mux.Tool.Commands;
using Mux.Transports.Tls;

namespace Mux.Tool.Gateway;

/// <summary>The server and the channels of <c>mux gateway</c>: one channel for each address.</summary>
internal sealed class RunningGateway : IAsyncDisposable
{
    private readonly Dictionary<string, MuxChannel> _channels = new(StringComparer.Ordinal);
    private MuxServer? _server;

    public MuxServer Server => _server!;

    /// <summary>Starts the gateway.</summary>
    /// <param name="plan">What it runs.</param>
    /// <param name="meters">The meters that count its calls.</param>
    /// <exception cref="ToolException">An address or a pattern is not valid, or the server cannot listen.</exception>
    public static async Task<RunningGateway> StartAsync(GatewayPlan plan, System.Diagnostics.Metrics.IMeterFactory meters)
    {
        var gateway = new RunningGateway();
        try
        {
            gateway.Start(plan, meters);
            return gateway;
        }
        catch (Exception error) when (error is ArgumentException or InvalidOperationException or IOException)
        {
            await gateway.DisposeAsync().ConfigureAwait(false);
            throw new ToolException(ExitCode.Usage, error.Message, error);
        }
    }

    /// <summary>Accepts no further calls, and lets open ones finish.</summary>
    public Task StopAsync() => Server.StopAsync();

    /// <summary>Lets open calls finish, then closes the channels: a channel that closed first would fail them.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_server is not null) await _server.DisposeAsync().ConfigureAwait(false);
        foreach (var channel in _channels.Values) await channel.DisposeAsync().ConfigureAwait(false);
    }

    private void Start(GatewayPlan plan, System.Diagnostics.Metrics.IMeterFactory meters)
    {
        var options = new MuxServerOptions
        {
            Address = plan.Listen,
            AllowPlaintext = plan.AllowPlaintext,
            PeerName = $"{MuxCommand.Name} gateway",
            DetailedErrors = true, // who runs a command looks at its errors
            MeterFactory = meters,
        };
        if (plan.Certificate is { } certificate)
        {
            options.Tls = new TlsServerOptions { CertificatePath = certificate, CertificateKeyPath = plan.CertificateKey };
        }

        var server = new MuxServer(options);
        foreach (var (pattern, address) in plan.Routes)
        {
            if (!_channels.TryGetValue(address, out var channel))
            {
                channel = MuxChannel.Create(new MuxChannelOptions
                {
                    Address = address,
                    Name = address,
                    AllowPlaintext = plan.AllowPlaintext,
                    PeerName = $"{MuxCommand.Name} gateway",
                    MeterFactory = meters,
                });
                _channels.Add(address, channel);
            }

            server.AddRoute(new MuxRoute(pattern, channel));
        }

        server.Start();
        _server = server;
    }
}
