using System.Diagnostics.Metrics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>
/// Fills a client's options from the host: its configuration, meters and content root, if there are any. Code that configures options runs afterwards and
/// overrides them. <see cref="ChannelOptionsValidation"/> reports values that cannot be read.
/// </summary>
internal sealed class ChannelOptionsConfiguration(
    DefaultAddress address, IConfiguration? configuration = null, IMeterFactory? meters = null, IHostEnvironment? environment = null)
    : IConfigureNamedOptions<MuxChannelOptions>
{
    /// <summary>How long calls of a client of a host wait for a server that restarts: a host lives through deployments of its servers.</summary>
    private static readonly TimeSpan s_holdTime = TimeSpan.FromSeconds(2);

    public void Configure(MuxChannelOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, MuxChannelOptions options)
    {
        options.Name = name ?? Options.DefaultName;
        if (options.Name.Length == 0) address.ApplyTo(options);
        else options.Address = string.Empty; // the default address is for unnamed clients: a named one must set its own
        options.MeterFactory = meters;
        options.Resilience.HoldTime = s_holdTime;
        _ = OptionsReader.Read(configuration, name, options, environment?.ContentRootPath);
    }
}
