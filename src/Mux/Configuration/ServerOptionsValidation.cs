using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>Checks the server's options and reads their section again, so that the failures of both are reported together.</summary>
internal sealed class ServerOptionsValidation(IOptions<HostOptions> host, IConfiguration? configuration = null) : IValidateOptions<MuxServerOptions>
{
    public ValidateOptionsResult Validate(string? name, MuxServerOptions options) =>
        OptionsValidation.Validate(
            ConfigurationPaths.Server, OptionsReader.Read(configuration, new MuxServerOptions()), options.Validate(), options, host.Value);
}
