using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>Checks the server's options and reads their section again, so that the failures of both are reported together.</summary>
internal sealed class ServerOptionsValidation(IOptions<HostOptions> host, DefaultAddress address, IConfiguration? configuration = null)
    : IValidateOptions<MuxServerOptions>
{
    private const string TlsWithoutAddress =
        "it has no effect, because no address is set: Kestrel provides the TLS of endpoints of ASP.NET Core (UseMuxHttps). Remove Tls, or set a muxs address.";

    public ValidateOptionsResult Validate(string? name, MuxServerOptions options) =>
        OptionsValidation.Validate(
            ConfigurationPaths.Server, OptionsReader.Read(configuration, new MuxServerOptions()), [.. Failures(options), .. StopFailures(options)], options,
            host.Value);

    /// <summary>The host ends what is not done within its ShutdownTimeout: calls would fail that the drain timeout promises to finish.</summary>
    private IEnumerable<OptionFailure> StopFailures(MuxServerOptions options)
    {
        var limit = host.Value.ShutdownTimeout;
        if (options.StopDelay <= TimeSpan.Zero || options.StopDelay > TimeSpan.FromMinutes(10) || options.DrainTimeout >= limit) yield break; // told elsewhere
        if (options.StopDelay + options.DrainTimeout >= limit)
            yield return new OptionFailure(nameof(options.StopDelay), $"'{options.StopDelay}' is not allowed: together with the DrainTimeout of " +
                $"{options.DrainTimeout} it must be below the host's ShutdownTimeout of {limit}.");
    }

    /// <summary>An address that nothing has set is no reason to name it: the server may have endpoints of ASP.NET Core alone.</summary>
    private IEnumerable<OptionFailure> Failures(MuxServerOptions options)
    {
        var failures = options.Validate();
        if (!address.IsIn(options)) return failures;
        return failures.Select(failure => failure.Option == nameof(MuxServerOptions.Tls) && failure.Text.Contains(options.Address, StringComparison.Ordinal)
            ? failure with { Text = TlsWithoutAddress } : failure);
    }
}
