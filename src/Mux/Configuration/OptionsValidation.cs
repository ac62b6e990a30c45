using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>Checks options when the host starts; every failure names the path in the configuration, also where code has set the value.</summary>
internal static class OptionsValidation
{
    public static ValidateOptionsResult Validate(string path, MuxOptions options, HostOptions host)
    {
        var failures = options.Validate().Select(failure => $"{path}:{failure}").ToList();
        if (options.DrainTimeout >= host.ShutdownTimeout)
            failures.Add($"{path}:DrainTimeout: '{options.DrainTimeout}' is not allowed: it must be below the host's ShutdownTimeout of {host.ShutdownTimeout}.");
        return failures.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(failures);
    }
}
