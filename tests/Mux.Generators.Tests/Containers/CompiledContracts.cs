using System.Reflection;
using System.Text;
using Mux.Generators.Tests.Codecs;
using Mux.Generators.Tests.Driver;

namespace Mux.Generators.Tests.Containers;

/// <summary>Messages that are written as text, compiled with the generator, and values of them.</summary>
internal sealed class CompiledContracts
{
    private const string Usings = """
        #nullable disable
        using System; using System.Linq; using System.Threading.Tasks; using System.Collections.Generic; using System.Collections.Immutable;
        using System.Collections.Concurrent; using System.Collections.ObjectModel; using System.ComponentModel; using ProtoBuf;
        namespace Sample;

        """;

    private readonly Dictionary<string, string> _methods = [];
    private readonly MessageCodec.Source _codecs;
    private readonly Type _values;

    /// <param name="types">What is declared.</param>
    /// <param name="messages">The types that travel.</param>
    /// <param name="values">The C# of values, by name.</param>
    public CompiledContracts(string types, IEnumerable<string> messages, IEnumerable<(string Name, string Value)> values)
    {
        foreach (var message in messages) _methods.Add(message, $"M{_methods.Count}");
        var service = new StringBuilder("[Mux.MuxService(\"sample\")] public interface IService { ");
        foreach (var (message, method) in _methods) service.Append($"ValueTask<{message}> {method}({message} value); ");
        var made = new StringBuilder("public static class Values { ");
        foreach (var (name, value) in values) made.AppendLine($"public static object {name}() => {value};");
        Run = GeneratorRun.Of(GeneratorRun.ProtoBufSource, Usings + types, Usings + service + "}", Usings + made + "}");
        var assembly = Run.Load();
        _values = assembly.GetType("Sample.Values", throwOnError: true)!;
        var contract = assembly.GetType("Sample.IService", throwOnError: true)!;
        _codecs = (MessageCodec.Source)Activator.CreateInstance(typeof(ContractCodecs<>).MakeGenericType(contract))!;
    }

    public GeneratorRun Run { get; }

    public MessageCodec Codec(string message) => _codecs.Request(_methods[message]);

    public object Value(string name) => _values.GetMethod(name, BindingFlags.Public | BindingFlags.Static)!.Invoke(null, null)!;

    public string Encode(string message, object? value) => Convert.ToHexStringLower(Codec(message).Encode(value));

    public object? Decode(string message, string hex) => Codec(message).Decode(Convert.FromHexString(hex));
}
