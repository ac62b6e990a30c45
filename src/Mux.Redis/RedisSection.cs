using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace Mux.Redis;

/// <summary>
/// Reads the options of the configuration, and checks them when the host starts. A key that is not known, or has a wrong value, fails the start.
/// </summary>
internal sealed class RedisSection(IConfiguration? configuration = null) : IConfigureOptions<MuxRedisOptions>, IValidateOptions<MuxRedisOptions>
{
    public const string Path = "Mux:Redis";

    private static readonly string[] s_known =
    [
        nameof(MuxRedisOptions.Configuration), nameof(MuxRedisOptions.MaxQueuedBytes), nameof(MuxRedisOptions.MaxQueuedMessages),
        nameof(MuxRedisOptions.Prefix), nameof(MuxRedisOptions.RetainFor), nameof(MuxRedisOptions.Timeout),
    ];

    public void Configure(MuxRedisOptions options) => _ = Read(options);

    public ValidateOptionsResult Validate(string? name, MuxRedisOptions options)
    {
        List<string> mistakes = [.. Read(new MuxRedisOptions()), .. options.Validate().Select(failure => $"{Path}:{failure}")];
        return mistakes.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(mistakes);
    }

    private List<string> Read(MuxRedisOptions options)
    {
        var mistakes = new List<string>();
        foreach (var option in configuration?.GetSection(Path).GetChildren() ?? [])
        {
            if (!s_known.Contains(option.Key, StringComparer.OrdinalIgnoreCase))
                mistakes.Add($"{option.Path}: there is no such option; known options: {string.Join(", ", s_known)}.");
            else if (!TrySet(options, option.Key, option.Value ?? string.Empty))
                mistakes.Add($"{option.Path}: '{option.Value}' is not {Expected(option.Key)}.");
        }

        return mistakes;
    }

    private static bool TrySet(MuxRedisOptions options, string key, string text)
    {
        bool isNumber = long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number);
        bool isTime = TimeSpan.TryParseExact(text, "c", CultureInfo.InvariantCulture, out var time) && text.Contains(':', StringComparison.Ordinal);
        switch (s_known.First(known => string.Equals(known, key, StringComparison.OrdinalIgnoreCase)))
        {
            case nameof(options.Configuration):
                options.Configuration = text;
                return true;
            case nameof(options.Prefix):
                options.Prefix = text;
                return true;
            case nameof(options.MaxQueuedBytes) when isNumber:
                options.MaxQueuedBytes = number;
                return true;
            case nameof(options.MaxQueuedMessages) when isNumber && number is >= int.MinValue and <= int.MaxValue:
                options.MaxQueuedMessages = (int)number;
                return true;
            case nameof(options.RetainFor) when isTime:
                options.RetainFor = time;
                return true;
            case nameof(options.Timeout) when isTime:
                options.Timeout = time;
                return true;
            default:
                return false;
        }
    }

    private static string Expected(string key) =>
        key.StartsWith("MaxQueued", StringComparison.OrdinalIgnoreCase) ? "a whole number" : "a time such as 00:00:10 (hours:minutes:seconds)";
}
