using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>Checks a client's options and reads their section again, so that the failures of both are reported together.</summary>
internal sealed class ChannelOptionsValidation(IOptions<HostOptions> host, IConfiguration? configuration = null) : IValidateOptions<MuxChannelOptions>
{
    public ValidateOptionsResult Validate(string? name, MuxChannelOptions options) =>
        OptionsValidation.Validate(
            ConfigurationPaths.Client(name), OptionsReader.Read(configuration, name, new MuxChannelOptions()), Failures(name, options), options, host.Value);

    private static IEnumerable<OptionFailure> Failures(string? name, MuxChannelOptions options)
    {
        if (string.IsNullOrEmpty(name) || !string.IsNullOrEmpty(options.Address) || options.Endpoints is not null) return options.Validate();
        var missing = new OptionFailure(nameof(options.Address),
            $"missing. Set it in the configuration or in AddKeyedMuxClient(\"{name}\", \"mux://host:port\").");
        return options.Validate().Where(failure => failure.Option != nameof(options.Address)).Prepend(missing);
    }
}
