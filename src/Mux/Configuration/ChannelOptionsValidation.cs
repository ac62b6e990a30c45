using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <inheritdoc cref="OptionsValidation"/>
internal sealed class ChannelOptionsValidation(IOptions<HostOptions> host) : IValidateOptions<MuxChannelOptions>
{
    public ValidateOptionsResult Validate(string? name, MuxChannelOptions options) =>
        OptionsValidation.Validate(ConfigurationPaths.Client(name), options, host.Value);
}
