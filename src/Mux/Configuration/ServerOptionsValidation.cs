using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <inheritdoc cref="OptionsValidation"/>
internal sealed class ServerOptionsValidation(IOptions<HostOptions> host) : IValidateOptions<MuxServerOptions>
{
    public ValidateOptionsResult Validate(string? name, MuxServerOptions options) =>
        OptionsValidation.Validate(ConfigurationPaths.Server, options, host.Value);
}
