using System.Reflection;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Tests.Vectors;

namespace Mux.Serialization.ProtobufNet.Tests.Recorded;

/// <summary>The contracts of the vectors with the attributes of protobuf-net itself, and what the vectors hold as objects and types.</summary>
/// <remarks>Compiled while the tests run, because the contracts declare a level for their whole module.</remarks>
internal static class RecordedAssembly
{
    private static readonly Lazy<Type> s_values = new(Compile);

    public static Type TypeOf(Vector vector) => (Type)Call(vector, "Type")!;

    public static object? Value(Vector vector) => Call(vector, "Value");

    public static object? Decoded(Vector vector) => Call(vector, "Decoded");

    private static object? Call(Vector vector, string part) => s_values.Value.GetMethod(Name(vector, part))!.Invoke(null, null);

    private static Type Compile()
    {
        var values = new StringBuilder(VectorContracts.Header).AppendLine("public static class Values {");
        foreach (var vector in Vector.All)
        {
            Append(values, vector, "Type", $"typeof({vector.Type})");
            Append(values, vector, "Value", vector.CSharp);
            Append(values, vector, "Decoded", vector.Decoded);
        }

        var paths = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        string[] sources = [VectorContracts.All, values.Append('}').ToString()];
        var compilation = CSharpCompilation.Create(
            "Recorded", sources.Select(static source => CSharpSyntaxTree.ParseText(source)),
            paths.Select(static path => MetadataReference.CreateFromFile(path)), new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        using var image = new MemoryStream();
        var result = compilation.Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error).Take(10)));
        return Assembly.Load(image.ToArray()).GetType("VectorContracts.Values", throwOnError: true)!;
    }

    private static void Append(StringBuilder values, Vector vector, string part, string? expression)
    {
        if (expression is not null) values.Append("public static object ").Append(Name(vector, part)).Append("() => ").Append(expression).AppendLine(";");
    }

    private static string Name(Vector vector, string part) => part + "_" + string.Concat(vector.Id.Select(static c => char.IsLetterOrDigit(c) ? c : '_'));
}
