using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Parsing;

namespace Mux.Description.Proto.Joining;

/// <summary>Files with messages of no contract, which contracts name: protobuf's own, those of protobuf-net for values of level 200, and markers.</summary>
internal static class SharedFiles
{
    private const int Int64 = 3;
    private const int UInt64 = 4;
    private const int Int32 = 5;
    private const int Fixed64 = 6;
    private const int Enum = 14;
    private const int UInt32 = 13;
    private const int SInt64 = 18;

    private const string Protobuf = "google.protobuf.";

    /// <summary>Gets the name of the file with a message or enum; null for those of contracts.</summary>
    public static string? FileOf(string name) => name switch
    {
        "google.protobuf.Empty" => "google/protobuf/empty.proto",
        "google.protobuf.Timestamp" => "google/protobuf/timestamp.proto",
        "google.protobuf.Duration" => "google/protobuf/duration.proto",
        "bcl.TimeSpan" or "bcl.DateTime" or "bcl.Guid" or "bcl.Decimal" => "bcl.proto",
        "mux.Opaque" or "mux.RawBytes" => "mux/bodies.proto",
        _ => name.StartsWith(Protobuf, StringComparison.Ordinal) ? $"google/protobuf/{OwnFileOf(name.Substring(Protobuf.Length).Split('.')[0])}.proto" : null,
    };

    /// <summary>Describes a file, after those that it imports.</summary>
    public static IEnumerable<(string Name, WireWriter Descriptor)> Describe(string file)
    {
        if (Made(file) is { } made) return [(file, EndProto3(made))];
        var set = ProtoLoader.Load(file, static _ => null, []) ?? throw new InvalidOperationException($"There is no file '{file}'.");
        return set.Files.Select(static read => (read.Name, DescriptorWriter.WriteFile(read, comments: null)));
    }

    /// <summary>Ends a file of the newer syntax.</summary>
    public static WireWriter EndProto3(WireWriter file) => file.Text(12, "proto3");

    // Those that contracts in C# name need no reader of text.
    private static WireWriter? Made(string file) => file switch
    {
        "google/protobuf/empty.proto" => File(file, "google.protobuf").Message(4, Message("Empty")),
        "google/protobuf/timestamp.proto" => File(file, "google.protobuf").Message(4, Seconds("Timestamp")),
        "google/protobuf/duration.proto" => File(file, "google.protobuf").Message(4, Seconds("Duration")),
        "bcl.proto" => Bcl(file),
        "mux/bodies.proto" => File(file, "mux").Message(4, Message("Opaque")).Message(4, Message("RawBytes")),
        _ => null,
    };

    private static string OwnFileOf(string type) => type switch
    {
        "Any" => "any",
        "Struct" or "Value" or "ListValue" or "NullValue" => "struct",
        "FieldMask" => "field_mask",
        "SourceContext" => "source_context",
        "Type" or "Field" or "Enum" or "EnumValue" or "Option" or "Syntax" => "type",
        "Api" or "Method" or "Mixin" => "api",
        "DoubleValue" or "FloatValue" or "Int64Value" or "UInt64Value" or "Int32Value" or "UInt32Value" or "BoolValue" or "StringValue" or "BytesValue" =>
            "wrappers",
        _ => "descriptor",
    };

    private static WireWriter File(string name, string package) => new WireWriter().Text(1, name).Text(2, package);

    private static WireWriter Message(string name) => new WireWriter().Text(1, name);

    private static WireWriter Seconds(string name) =>
        Message(name).Message(2, Field("seconds", 1, Int64)).Message(2, Field("nanos", 2, Int32));

    private static WireWriter Bcl(string file) => File(file, "bcl")
        .Message(4, Message("TimeSpan").Message(2, Field("value", 1, SInt64)).Message(2, Field("scale", 2, Enum, ".bcl.TimeSpan.TimeSpanScale"))
            .Message(4, Scale()))
        .Message(4, Message("DateTime").Message(2, Field("value", 1, SInt64)).Message(2, Field("scale", 2, Enum, ".bcl.DateTime.TimeSpanScale"))
            .Message(2, Field("kind", 3, Enum, ".bcl.DateTime.DateTimeKind")).Message(4, Scale()).Message(4, Kind()))
        .Message(4, Message("Guid").Message(2, Field("lo", 1, Fixed64)).Message(2, Field("hi", 2, Fixed64)))
        .Message(4, Message("Decimal").Message(2, Field("lo", 1, UInt64)).Message(2, Field("hi", 2, UInt32)).Message(2, Field("signScale", 3, UInt32)));

    private static WireWriter Scale() => Values(
        "TimeSpanScale", ("DAYS", 0), ("HOURS", 1), ("MINUTES", 2), ("SECONDS", 3), ("MILLISECONDS", 4), ("TICKS", 5), ("MINMAX", 15));

    private static WireWriter Kind() => Values("DateTimeKind", ("UNSPECIFIED", 0), ("UTC", 1), ("LOCAL", 2));

    private static WireWriter Values(string name, params (string Name, int Number)[] values)
    {
        var descriptor = Message(name);
        foreach (var (value, number) in values) descriptor.Message(2, new WireWriter().Text(1, value).Number(2, number));
        return descriptor;
    }

    private static WireWriter Field(string name, int number, int type, string? reference = null)
    {
        var field = new WireWriter().Text(1, name).Number(3, number).Number(4, 1).Number(5, type);
        return reference is null ? field : field.Text(6, reference);
    }
}
