using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>Checks options when the host starts; every failure names the path in the configuration, also where code has set the value.</summary>
internal static class OptionsValidation
{
    /// <param name="path">Where the options stand in the configuration.</param>
    /// <param name="unreadable">What could not be read there.</param>
    /// <param name="failures">What is wrong with the values.</param>
    /// <param name="options">The options.</param>
    /// <param name="host">The time the host takes to stop.</param>
    public static ValidateOptionsResult Validate(
        string path, IEnumerable<string> unreadable, IEnumerable<OptionFailure> failures, MuxOptions options, HostOptions host)
    {
        List<string> all = [.. unreadable, .. failures.Select(failure => $"{path}:{failure}")];
        if (options.DrainTimeout >= host.ShutdownTimeout)
            all.Add($"{path}:DrainTimeout: '{options.DrainTimeout}' is not allowed: it must be below the host's ShutdownTimeout of {host.ShutdownTimeout}.");
        return Result(all);
    }

    /// <summary>The framework joins failures by "; ": only the last one keeps its full stop.</summary>
    public static ValidateOptionsResult Result(List<string> failures)
    {
        if (failures.Count == 0) return ValidateOptionsResult.Success;
        return ValidateOptionsResult.Fail([.. failures.SkipLast(1).Select(failure => failure.TrimEnd('.')), failures[^1]]);
    }
}
