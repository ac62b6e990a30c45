namespace Mux.Generators.Tests.Driver;

/// <summary>What can be wrong with serializers that contracts name.</summary>
internal static class SerializerMistakes
{
    private const string Serializers = """
        using Mux.Serialization;
        using Mux.Serialization.Raw;
        public interface IShape { } public class Round : IShape { } public ref struct Passing { }
        [PayloadFormat("x")] public class Any : IPayloadSerializer { public static void Write<T>(ref MessageWriter writer, T value) { } public static T Read<T>(System.ReadOnlySpan<byte> body) => default!; }
        [PayloadFormat("x", typeof(IShape), typeof(int))] public class Some : IPayloadSerializer { public static void Write<T>(ref MessageWriter writer, T value) { } public static T Read<T>(System.ReadOnlySpan<byte> body) => default!; }
        [PayloadFormat("x")] public class Open<T1> : IPayloadSerializer { public static void Write<T>(ref MessageWriter writer, T value) { } public static T Read<T>(System.ReadOnlySpan<byte> body) => default!; }
        public class Nameless : IPayloadSerializer { public static void Write<T>(ref MessageWriter writer, T value) { } public static T Read<T>(System.ReadOnlySpan<byte> body) => default!; }
        [PayloadFormat("x y")] public class Misnamed : IPayloadSerializer { public static void Write<T>(ref MessageWriter writer, T value) { } public static T Read<T>(System.ReadOnlySpan<byte> body) => default!; }
        public class Outer { [PayloadFormat("x")] private protected class Hidden : IPayloadSerializer { public static void Write<T>(ref MessageWriter writer, T value) { } public static T Read<T>(System.ReadOnlySpan<byte> body) => default!; } }


        """;

    public static IEnumerable<DiagnosticCase> All =>
    [
        AtMethod("MUX0058", "no serializer", "string", "'string', which does not implement Mux.Serialization.IPayloadSerializer"),
        AtMethod("MUX0058", "an array", "int[]", "does not implement"),
        AtMethod("MUX0058", "the interface itself", "IPayloadSerializer", "is an interface"),
        AtMethod("MUX0058", "an open generic", "Open<>", "is an open generic type"),
        AtMethod("MUX0058", "a serializer without a format", "Nameless", "has no [PayloadFormat]"),
        AtMethod("MUX0058", "a format that is no name", "Misnamed", "whose name is not 1 to 127"),
        new("MUX0058", "at the service, once for two methods", Serializers + "[MuxService(\"s\", Serializer = typeof(string))] public interface [|IService|] { ValueTask M(int x); ValueTask N(); }", "'IService' names the serializer 'string'", "typeof(string)", "typeof(Any)"),
        new("MUX0058", "a hidden one", Serializers + "public class Inner : Outer { [MuxService(\"s\", Serializer = typeof(Hidden))] internal interface [|IService|] { ValueTask M(int x); } }", "cannot reach", "private protected", "internal"),
        new("MUX0059", "two arguments", Service("ValueTask [|M|](int x, string y);"), "takes 2 arguments, but 'Any' sends only one", "int x, string y", "(int X, string Y) both"),
        new("MUX0059", "three beside a stream", Service("ValueTask [|M|](int x, IAsyncEnumerable<int> y, int z, CancellationToken token);"), "takes 2 arguments", "int x, IAsyncEnumerable<int> y, int z", "int x, IAsyncEnumerable<int> y"),
        new("MUX0059", "sent by the codec instead", Service("ValueTask [|M|](int x, int y);"), "combine them in one message", "ValueTask M", "[MuxMethod(Serializer = typeof(GeneratedCodec))] ValueTask M"),
        new("MUX0060", "a type that is not taken", Service("ValueTask M(string [|x|]);", "Some"), "'Some' sends IShape, int and types that derive from or implement them", "string x", "Round x"),
        new("MUX0060", "a type that converts", Service("ValueTask M(short [|x|]);", "Some"), "'short x' has the type 'short'", "short", "int"),
        new("MUX0060", "a result", Service("ValueTask<MuxResult<string>> [|M|]();", "Some"), "'IService.M()' has the type 'string'", "<string>", "<Round>"),
        new("MUX0060", "an item", Service("IAsyncEnumerable<string> [|M|]();", "Some"), "'IService.M()' has the type 'string'", "<string>", "<IShape>"),
        new("MUX0060", "a detail", Service("[MuxError<string>(1)] ValueTask [|M|](int x);", "Some"), "'IService.M(int)' has the type 'string'", "<string>", "<Round>"),
        new("MUX0060", "a ref struct", Service("ValueTask M(Passing [|x|]);"), "a ref struct cannot be stored", "Passing x", "Round x"),
        new("MUX0060", "something dynamic", Service("ValueTask M(List<dynamic[]> [|x|]);"), "dynamic names no type", "dynamic", "object"),
        new("MUX0060", "raw bytes that are none", Service("ValueTask M(List<byte> [|x|]);", "RawSerializer"), "has the type 'System.Collections.Generic.List<byte>'; 'Mux.Serialization.Raw.RawSerializer' sends byte[], ", "List<byte>", "byte[]"),
        new("MUX0036", "a tuple", Service("[MuxError<(int, string)>(1)] ValueTask [|M|](int x);"), "which is not a message", "(int, string)", "Round"),
        new("MUX0036", "a detail for the codec", Serializers + "[MuxService(\"s\", Serializer = typeof(Any)), MuxError<int>(1)] public interface [|IService|] { ValueTask N(); [MuxMethod(Serializer = typeof(GeneratedCodec))] ValueTask M(); }", "'int', which is not a message", "[MuxMethod(Serializer = typeof(GeneratedCodec))] ", ""),
    ];

    private static DiagnosticCase AtMethod(string id, string what, string named, string says) =>
        new(id, what, Serializers + $"[MuxService(\"s\")] public interface IService {{ [MuxMethod(Serializer = typeof({named}))] ValueTask [|M|](int x); }}", says, $"typeof({named}))] ValueTask M", "typeof(Any))] ValueTask M");

    private static string Service(string method, string serializer = "Any") => Serializers + $"[MuxService(\"s\", Serializer = typeof({serializer}))] public interface IService {{ {method} }}";
}
