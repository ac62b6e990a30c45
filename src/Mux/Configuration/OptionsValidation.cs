using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>Checks options when the host starts. Every failure names the path in the configuration, even if code has set the value.</summary>
internal static class OptionsValidation
{
    /// <param name="path">Path of the options in the configuration.</param>
    /// <param name="unreadable">Failures of reading the section.</param>
    /// <param name="failures">Failures of the values.</param>
    /// <param name="options">The options.</param>
    /// <param name="host">Options of the host, with the time that it has to stop.</param>
    public static ValidateOptionsResult Validate(
        string path, IEnumerable<string> unreadable, IEnumerable<OptionFailure> failures, MuxOptions options, HostOptions host)
    {
        List<string> all = [.. unreadable, .. failures.Select(failure => $"{path}:{failure}")];
        if (options.DrainTimeout >= host.ShutdownTimeout)
            all.Add($"{path}:DrainTimeout: '{options.DrainTimeout}' is not allowed: it must be below the host's ShutdownTimeout of {host.ShutdownTimeout}.");
        return Result(all);
    }

    /// <summary>Creates the result. The framework joins failures with "; ", so only the last one keeps its full stop.</summary>
    public static ValidateOptionsResult Result(List<string> failures)
    {
        if (failures.Count == 0) return ValidateOptionsResult.Success;
        return ValidateOptionsResult.Fail([.. failures.SkipLast(1).Select(failure => failure.TrimEnd('.')), failures[^1]]);
    }
}
