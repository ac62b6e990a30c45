using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>Fills the server's options from the configuration, if there is one. Code that configures options runs afterwards and wins.</summary>
internal sealed class ServerOptionsConfiguration(IConfiguration? configuration = null) : IConfigureOptions<MuxServerOptions>
{
    public void Configure(MuxServerOptions options)
    {
        if (configuration is null) return;
        var section = new SectionReader(configuration.GetSection(ConfigurationPaths.Server));
        OptionsReader.Read(section, options);
        section.ThrowIfUnusable(Options.DefaultName, typeof(MuxServerOptions));
    }
}
