using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Mux.Configuration;

namespace Mux.Hosting;

/// <summary>
/// Warns when the host starts if nothing says where the client without a name connects to. Its first call may come much later, and fail only as if the server
/// were down.
/// </summary>
internal sealed class ClientAddressNotice(
    IOptionsMonitor<MuxChannelOptions> options, DefaultAddress address, ILoggerFactory loggers, IConfiguration? configuration = null) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        var client = options.Get(Options.DefaultName);
        var section = ConfigurationPaths.Client(Options.DefaultName);
        if (address.IsIn(client) && client.Endpoints is null && configuration is not null && !configuration.GetSection(section).Exists())
            HostLog.ClientAddressIsDefault(loggers.CreateLogger("Mux.Client"), client.Address, section);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
