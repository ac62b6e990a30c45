using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace Mux.Configuration;

/// <summary>
/// Reads the options of one configuration section, and remembers all that cannot be read: values of the wrong kind and unknown keys. Written by hand because
/// the framework's binder ignores unknown keys, stops at the first bad value and does not say what is allowed.
/// </summary>
internal sealed class SectionReader(IConfigurationSection section)
{
    private readonly HashSet<string> _known = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<string> _failures = [];
    private readonly List<SectionReader> _parts = [];

    public void Text(string key, Action<string> set) => Read(key, "text", set, static (string text, out string value) => (value = text) is not null);

    /// <param name="key">Key of the number.</param>
    /// <param name="set">Gets the number.</param>
    /// <param name="allowed">The range, as the validation of the option names it; null to name only what an integer can be.</param>
    public void Number(string key, Action<int> set, string? allowed = null) =>
        Read(key, allowed is null ? Numbers(int.MaxValue) : $"a whole number: expected {allowed}", set, static (string text, out int value) =>
            int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out value));

    public void LongNumber(string key, Action<long> set) =>
        Read(key, Numbers(long.MaxValue), set, static (string text, out long value) =>
            long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out value));

    public void Factor(string key, Action<double> set) =>
        Read(key, "a number such as 1.5", set, static (string text, out double value) =>
            double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out value));

    public void Limit(string key, Action<MuxLimit> set) =>
        Read(key, "a whole number, or Unbounded", set, static (string text, out MuxLimit value) => MuxLimit.TryParse(text, out value));

    public void Flag(string key, Action<bool> set) => Read(key, "true or false", set, static (string text, out bool value) => bool.TryParse(text, out value));

    public void Duration(string key, Action<TimeSpan> set) =>
        Read(key, "a time such as 00:00:10 (hours:minutes:seconds)", set, TryParseDuration);

    public void Choice<T>(string key, Action<T> set, params T[] others)
        where T : struct, Enum =>
        Read(key, "one of " + string.Join(", ", Enum.GetValues<T>().Except(others)), set, (string text, out T value) =>
            Enum.TryParse(text, ignoreCase: true, out value) && Enum.IsDefined(value) && !others.Contains(value));

    /// <summary>Creates a reader for the section of one side. A text instead of a section fails: otherwise all options would silently be defaults.</summary>
    public static SectionReader Of(IConfigurationSection section)
    {
        var reader = new SectionReader(section);
        reader.RefuseText(section, $" The address is in {section.Path}:Address.");
        return reader;
    }

    /// <summary>Gets a section within this one, or null if there is none. Its failures are added to those of this section.</summary>
    /// <param name="key">Key of the section.</param>
    /// <param name="isSecret">True if a text instead of a section must not be repeated in a failure.</param>
    public SectionReader? Part(string key, bool isSecret = false)
    {
        _known.Add(key);
        var part = section.GetSection(key);
        if (!part.Exists() && !IsWritten(key)) return null;
        RefuseText(part, isSecret: isSecret);
        var reader = new SectionReader(part);
        _parts.Add(reader);
        return reader;
    }

    /// <summary>Gets a list within this section, or null if there is none. Its reader adds what is wrong in it.</summary>
    public IConfigurationSection? List(string key)
    {
        _known.Add(key);
        var list = section.GetSection(key);
        return list.Exists() || IsWritten(key) ? list : null;
    }

    /// <summary>Gets all sections within this one, whose names the user chooses.</summary>
    public IEnumerable<(string Key, SectionReader Part)> Parts()
    {
        foreach (var child in section.GetChildren()) yield return (child.Key, Part(child.Key, isSecret: true)!);
    }

    /// <summary>Reads the elements of a list.</summary>
    public IReadOnlyList<T> Choices<T>()
        where T : struct, Enum
    {
        List<T> all = [];
        foreach (var child in section.GetChildren()) Choice<T>(child.Key, all.Add);
        return all;
    }

    /// <summary>Fails if an option is here, with whatever value, that belongs elsewhere.</summary>
    public void Misplaced(string key, string text)
    {
        if (!section.GetSection(key).Exists()) return;
        _known.Add(key);
        Fail(key, text);
    }

    /// <summary>Adds a failure of an option of this section.</summary>
    public void Fail(string key, string text) => _failures.Add($"{section.Path}:{key}: {text}");

    /// <summary>Adds failures of a part that has another reader. Each has its path.</summary>
    public void Fail(IEnumerable<string> failures) => _failures.AddRange(failures);

    /// <summary>Gets all failures of the section, each with its path. Keys that were not read before are unknown.</summary>
    public IReadOnlyList<string> Failures() =>
        [.. _failures, .. _parts.SelectMany(part => part.Failures()), .. section.GetChildren().Where(child => !_known.Contains(child.Key))
            .Select(child => $"{child.Path}: there is no such option; {Known(child.Key)}.")];

    private string Known(string unknown)
    {
        var all = string.Join(", ", _known.Order(StringComparer.Ordinal));
        return EditDistance.Nearest(unknown, _known) is { } meant ? $"did you mean {meant}? Known options: {all}" : $"known options: {all}";
    }

    private void RefuseText(IConfigurationSection part, string hint = "", bool isSecret = false)
    {
        if (!string.IsNullOrEmpty(part.Value))
            _failures.Add($"{part.Path}: {(isSecret ? "the value" : $"'{part.Value}'")} is not a section with options.{hint}");
    }

    /// <summary>
    /// True if a section is present, even empty, such as <c>"Identity": {}</c>: it does not exist for the framework, but its author meant it.
    /// </summary>
    private bool IsWritten(string key) => section.GetChildren().Any(child => string.Equals(child.Key, key, StringComparison.OrdinalIgnoreCase));

    private static string Numbers(long last) => $"a whole number of at most {last.ToString(CultureInfo.InvariantCulture)}, in digits only";

    /// <summary>Rejects texts such as "10" and "24:00:00", which the framework reads as days although their author means seconds or hours.</summary>
    private static bool TryParseDuration(string text, out TimeSpan value)
    {
        value = default;
        return text.Contains(':', StringComparison.Ordinal) && TimeSpan.TryParseExact(text, "c", CultureInfo.InvariantCulture, out value);
    }

    private delegate bool Parser<T>(string text, out T value);

    private void Read<T>(string key, string expected, Action<T> set, Parser<T> parse)
    {
        _known.Add(key);
        if (section[key] is not { } text) return;
        if (parse(text, out var value)) set(value);
        else _failures.Add($"{section.Path}:{key}: '{text}' is not {expected}.");
    }
}
