using System.Globalization;
using System.Text;

namespace Mux.Serialization.ProtobufNet.Tests.Generated;

/// <summary>Writes contracts in C#: messages with members of every kind, at every accessibility, with every option that has a meaning for them.</summary>
/// <param name="random">Decides.</param>
internal sealed class ContractSource(Random random)
{
    private const string Head = """
        #nullable disable
        #pragma warning disable
        using System.Collections.Generic;
        using System.ComponentModel;
        using System.Runtime.Serialization;
        using System.Threading.Tasks;
        using ProtoBuf;

        [System.Flags] public enum Medal { None, Gold, Silver }
        public enum SmallMedal : byte { None, Gold }
        [ProtoContract] public sealed class Leaf { [ProtoMember(1)] private int _id; }


        """;

    /// <summary>The name of a message.</summary>
    public static string NameOf(int index) => string.Create(CultureInfo.InvariantCulture, $"Message{index}");

    /// <summary>So many messages, and a contract with a method for each.</summary>
    public string Next(int count)
    {
        var source = new StringBuilder(Head);
        for (int i = 0; i < count; i++) AppendMessage(source, NameOf(i));
        source.AppendLine("[Mux.MuxService(\"generated\")]\npublic interface IGenerated\n{");
        for (int i = 0; i < count; i++) source.AppendLine(CultureInfo.InvariantCulture, $"    ValueTask {NameOf(i)}({NameOf(i)} message);");
        return source.AppendLine("}").ToString();
    }

    private void AppendMessage(StringBuilder source, string name)
    {
        bool isProto = random.Next(3) > 0;
        var level = random.Next(4) switch { 0 => ", CompatibilityLevel(CompatibilityLevel.Level240)", 1 => ", CompatibilityLevel(CompatibilityLevel.Level300)", _ => string.Empty };
        source.AppendLine(CultureInfo.InvariantCulture, $"[{(isProto ? "ProtoContract" : "DataContract")}{level}]\npublic sealed class {name}\n{{");
        int number = 0;
        int members = random.Next(1, 7);
        for (int i = 0; i < members; i++)
        {
            number += random.Next(8) == 0 ? random.Next(1, 3000) : 1;
            AppendMember(source, $"M{i}", number, isProto, hasLevel: level.Length > 0);
        }

        if (random.Next(3) == 0) AppendCallbacks(source, number + 1, isProto);
        source.AppendLine("}\n");
    }

    private void AppendMember(StringBuilder source, string name, int number, bool isProto, bool hasLevel)
    {
        var kind = MemberKind.All[random.Next(MemberKind.All.Length)];
        var shape = random.Next(8);
        bool isList = shape is 0 or 1, isMap = shape == 2, isNullable = shape == 3 && kind.IsValueType;
        var type = shape switch
        {
            0 => $"List<{kind.Type}>",
            1 => $"{kind.Type}[]",
            2 => $"Dictionary<{Pick(MemberKind.All.Where(static key => key.IsKey).ToArray()).Type}, {kind.Type}>",
            _ => kind.Type + (isNullable ? "?" : string.Empty),
        };
        var attributes = new List<string> { isProto ? $"ProtoMember({number}{ProtoOptions(kind, isList, isMap, hasLevel)})" : $"DataMember(Order = {number}{(random.Next(4) == 0 ? ", IsRequired = true" : string.Empty)})" };
        if (!isList && !isMap && kind.Defaults.Length > 0 && random.Next(3) == 0) attributes.Add($"DefaultValue({Pick(kind.Defaults)})");
        var accessibility = Pick(["public", "public", "private", "internal"]);
        var body = Pick([";", " { get; set; }", " { get; set; }", " { get; private set; }", " { get; init; }"]);
        if (accessibility == "private" && body.Contains("private", StringComparison.Ordinal)) body = ";";
        source.AppendLine(CultureInfo.InvariantCulture, $"    [{string.Join(", ", attributes)}] {accessibility} {type} {name}{body}");
        AppendCondition(source, name);
    }

    private string ProtoOptions(MemberKind kind, bool isList, bool isMap, bool hasLevel)
    {
        var options = new StringBuilder();
        var formats = kind.Formats.Where(format => !isMap && !(hasLevel && format == "WellKnown") && !(isList && kind.Type is "System.TimeSpan" or "System.DateTime")).ToArray();
        if (formats.Length > 0 && random.Next(3) == 0) options.Append(CultureInfo.InvariantCulture, $", DataFormat = DataFormat.{Pick(formats)}");
        options.Append(random.Next(6) switch
        {
            0 => ", IsRequired = true",
            1 when isList => ", IsPacked = true",
            2 when isList => ", Options = MemberSerializationOptions.Packed | MemberSerializationOptions.OverwriteList",
            3 => ", IsRequired = true, Options = MemberSerializationOptions.None",
            4 => ", Options = MemberSerializationOptions.Required",
            _ => string.Empty,
        });
        return options.ToString();
    }

    private void AppendCondition(StringBuilder source, string name)
    {
        var access = Pick(["public", "private", "internal"]);
        source.Append(random.Next(8) switch
        {
            0 => $"    public bool Says{name}; {access} bool ShouldSerialize{name}() => Says{name};\n",
            1 => $"    {access} bool {name}Specified {{ get; set; }}\n",
            2 => $"    public bool Says{name}; {access} bool {name}Specified => Says{name};\n",
            _ => string.Empty,
        });
    }

    private void AppendCallbacks(StringBuilder source, int number, bool isProto)
    {
        var member = isProto ? $"ProtoMember({number})" : $"DataMember(Order = {number})";
        source.AppendLine(CultureInfo.InvariantCulture, $"    [{member}] private int _calls; public int After;");
        var (before, read) = isProto && random.Next(2) == 0 ? ("ProtoBeforeSerialization", "ProtoAfterDeserialization") : ("OnSerializing", "OnDeserialized");
        var parameter = random.Next(2) == 0 ? "StreamingContext context" : string.Empty;
        source.AppendLine(CultureInfo.InvariantCulture, $"    [{before}] private void Before({parameter}) => _calls++;");
        source.AppendLine(CultureInfo.InvariantCulture, $"    [{read}] {Pick(["private", "public"])} void Read({parameter}) => After = _calls + 1;");
    }

    private T Pick<T>(T[] choices) => choices[random.Next(choices.Length)];
}
