using System.Diagnostics.Metrics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>Fills a client's options from the host: its configuration and its meters, where there are any. Code that configures options runs afterwards and wins.</summary>
internal sealed class ChannelOptionsConfiguration(IConfiguration? configuration = null, IMeterFactory? meters = null) : IConfigureNamedOptions<MuxChannelOptions>
{
    public void Configure(MuxChannelOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, MuxChannelOptions options)
    {
        options.Name = name ?? Options.DefaultName;
        options.MeterFactory = meters;
        if (configuration is null) return;
        var section = new SectionReader(configuration.GetSection(ConfigurationPaths.Client(name)));
        OptionsReader.Read(section, options);
        section.ThrowIfUnusable(options.Name, typeof(MuxChannelOptions));
    }
}
