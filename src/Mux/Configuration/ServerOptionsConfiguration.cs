using System.Diagnostics.Metrics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>
/// Fills the server's options from the host: its configuration, meters and content root, if there are any. Code that configures options runs afterwards and
/// overrides them. <see cref="ServerOptionsValidation"/> reports values that cannot be read.
/// </summary>
internal sealed class ServerOptionsConfiguration(
    DefaultAddress address, IConfiguration? configuration = null, IMeterFactory? meters = null, IHostEnvironment? environment = null)
    : IConfigureOptions<MuxServerOptions>
{
    public void Configure(MuxServerOptions options)
    {
        address.ApplyTo(options);
        options.MeterFactory = meters;
        _ = OptionsReader.Read(configuration, options, environment?.ContentRootPath);
    }
}
