using System.Diagnostics.Metrics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>
/// Fills a client's options from the host: its configuration, its meters and its content root, where there are any. Code that configures options runs
/// afterwards and wins. What cannot be read is told by <see cref="ChannelOptionsValidation"/>.
/// </summary>
internal sealed class ChannelOptionsConfiguration(IConfiguration? configuration = null, IMeterFactory? meters = null, IHostEnvironment? environment = null)
    : IConfigureNamedOptions<MuxChannelOptions>
{
    public void Configure(MuxChannelOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, MuxChannelOptions options)
    {
        options.Name = name ?? Options.DefaultName;
        if (options.Name.Length > 0) options.Address = string.Empty; // nobody means the default by a name: without an address the host does not start
        options.MeterFactory = meters;
        _ = OptionsReader.Read(configuration, name, options, environment?.ContentRootPath);
    }
}
