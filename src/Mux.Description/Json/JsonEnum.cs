using System.Text.Encodings.Web;
using System.Text.Json;

namespace Mux.Description.Json;

/// <summary>An enum, prepared for JSON.</summary>
internal sealed class JsonEnum
{
    private const int MaxDense = 64;

    private readonly JsonEncodedText?[] _dense = new JsonEncodedText?[MaxDense];
    private readonly Dictionary<int, JsonEncodedText> _names = [];
    private readonly Dictionary<string, int>.AlternateLookup<ReadOnlySpan<char>> _numbers;

    public JsonEnum(EnumType type)
    {
        var numbers = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (var (name, number) in type.Values)
        {
            numbers.TryAdd(name, number);
            var text = JsonEncodedText.Encode(name, JavaScriptEncoder.UnsafeRelaxedJsonEscaping);
            if ((uint)number < MaxDense) _dense[number] ??= text;
            else _names.TryAdd(number, text);
        }

        Names = [.. type.Values.Select(static value => value.Key)];
        _numbers = numbers.GetAlternateLookup<ReadOnlySpan<char>>();
        IsNull = type.FullName == "google.protobuf.NullValue";
    }

    public IReadOnlyList<string> Names { get; }

    /// <summary>Gets a value indicating whether its value is null in JSON.</summary>
    public bool IsNull { get; }

    /// <summary>Finds the first name of a number.</summary>
    public bool TryGetName(int number, out JsonEncodedText name)
    {
        if ((uint)number >= MaxDense) return _names.TryGetValue(number, out name);
        name = _dense[number].GetValueOrDefault();
        return _dense[number].HasValue;
    }

    public bool TryGetNumber(ReadOnlySpan<char> name, out int number) => _numbers.TryGetValue(name, out number);
}
