using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

/// <summary>Null where there is nothing: an empty list is one level deeper than its object.</summary>
public sealed class JsonSpecimen
{
    public long Number { get; set; }

    public double Real { get; set; }

    public bool Flag { get; set; }

    public string? Text { get; set; }

    public byte[]? Bytes { get; set; }

    public Grade Grade { get; set; }

    public List<int>? Numbers { get; set; }

    public List<string>? Words { get; set; }

    public JsonSpecimen? Inner { get; set; }

    public List<JsonSpecimen>? Items { get; set; }

    public int? Maybe { get; set; }
}
