using Mux.Generators.Tests.Vectors;
using ProtoBuf;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet.Tests.Recorded;

/// <summary>The runtime model of protobuf-net, with the level that a vector was recorded with.</summary>
internal static class RecordedModel
{
    private static readonly RuntimeTypeModel s_asDeclared = RuntimeTypeModel.Create();

    public static string Write(Vector vector, object? value)
    {
        using var stream = new MemoryStream();
        Of(vector).Serialize(stream, value);
        return Convert.ToHexStringLower(stream.ToArray());
    }

    public static object? Read(Vector vector)
    {
        using var stream = new MemoryStream(Convert.FromHexString(vector.Hex!));
        return Of(vector).Deserialize(stream, null, RecordedAssembly.TypeOf(vector));
    }

    private static RuntimeTypeModel Of(Vector vector)
    {
        if (vector.LevelFrom is null) return s_asDeclared;
        var model = RuntimeTypeModel.Create();
        if (vector.LevelFrom == "model") model.Add(RecordedAssembly.TypeOf(vector), applyDefaultBehaviour: true, (CompatibilityLevel)vector.Level);
        else model.DefaultCompatibilityLevel = (CompatibilityLevel)vector.Level;
        return model;
    }
}
