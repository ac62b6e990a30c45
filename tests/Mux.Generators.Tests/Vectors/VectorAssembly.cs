using System.Reflection;
using System.Text;
using Mux.Generators.Tests.Codecs;
using Mux.Generators.Tests.Driver;

namespace Mux.Generators.Tests.Vectors;

/// <summary>The contracts of the vectors, compiled with the generator, and the values of the vectors as objects.</summary>
/// <remarks>Twice: as they are, and with another level for the whole module, for the vectors whose level was given to the model.</remarks>
internal sealed class VectorAssembly
{
    // The library writes values at the root at level 200, whatever their model declares.
    private const string AsNet = "Mux.MuxCompatibilityLevel(Mux.MuxCompatibilityLevel.NotSpecified, SingleValues = Mux.MuxCompatibilityLevel.Level200)";

    // Of all vectors whose level was given to the model for their type.
    private const int LoweredLevel = 200;

    private static readonly Lazy<VectorAssembly> s_asDeclared = new(static () => new VectorAssembly(isLowered: false));
    private static readonly Lazy<VectorAssembly> s_lowered = new(static () => new VectorAssembly(isLowered: true));

    private readonly Dictionary<string, string> _methods = [];
    private readonly Type _values;
    private readonly MessageCodec.Source _codecs;

    private VectorAssembly(bool isLowered)
    {
        var vectors = Vector.All.Where(vector => IsLowered(vector) == isLowered).ToList();
        foreach (var type in vectors.Select(static vector => vector.Type).Distinct()) _methods.Add(type, $"M{_methods.Count}");

        var values = new StringBuilder();
        foreach (var vector in vectors)
        {
            if (vector.CSharp is not null) values.AppendLine($"public static object {Name(vector, "Value")}() => {vector.CSharp};");
            if (vector.Decoded is not null) values.AppendLine($"public static object {Name(vector, "Decoded")}() => {vector.Decoded};");
        }

        var methods = string.Concat(_methods.Select(static method => $"ValueTask<{method.Key}> {method.Value}({method.Key} value);\n"));
        var sources = Sources(methods).Select(source => isLowered ? VectorContracts.WithModuleLevel(source, LoweredLevel) : source);
        var assembly = GeneratorRun.Of([.. sources, $"{VectorContracts.Header} public static class Values {{ {values} }}"]).Load();
        _values = assembly.GetType("VectorContracts.Values", throwOnError: true)!;
        var contract = assembly.GetType("VectorContracts.IVectors", throwOnError: true)!;
        _codecs = (MessageCodec.Source)Activator.CreateInstance(typeof(ContractCodecs<>).MakeGenericType(contract))!;
    }

    public static VectorAssembly Of(Vector vector) => (IsLowered(vector) ? s_lowered : s_asDeclared).Value;

    /// <summary>All contracts of the vectors, and a service that reaches what its methods name.</summary>
    public static string[] Sources(string methods)
    {
        var service = $"{VectorContracts.Header} [Mux.MuxService(\"vectors\"), {AsNet}] public interface IVectors {{ {methods} }}";
        return [GeneratorRun.ProtoBufSource, VectorContracts.Types, VectorContracts.All, service];
    }

    public MessageCodec CodecOf(Vector vector) => _codecs.Request(_methods[vector.Type]);

    public object Value(Vector vector) => Call(Name(vector, "Value"));

    public object Decoded(Vector vector) => Call(Name(vector, "Decoded"));

    // A default of the model holds where the contracts say nothing, and they say the same.
    private static bool IsLowered(Vector vector) => vector is { LevelFrom: "model", Level: LoweredLevel };

    private static string Name(Vector vector, string part) => part + "_" + string.Concat(vector.Id.Select(static c => char.IsLetterOrDigit(c) ? c : '_'));

    private object Call(string method) => _values.GetMethod(method, BindingFlags.Public | BindingFlags.Static)!.Invoke(null, null)!;
}
