using Mux.Description.Proto.Parsing.Options;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Linking;

/// <summary>Fills the model with what options say, and with ranges.</summary>
internal static class ModelFiller
{
    private static readonly string[] s_levels = ["IDEMPOTENCY_UNKNOWN", "NO_SIDE_EFFECTS", "IDEMPOTENT"];

    public static void Fill(ParsedFile file, ProtoSet set)
    {
        file.Model.CSharpNamespace = file.Values?.Text("csharp_namespace");
        foreach (var node in NodeWalk.All(file))
        {
            bool isDeprecated = node.Values?.Flag("deprecated") == true;
            switch (node)
            {
                case ParsedMessage message:
                    message.Model.IsDeprecated = isDeprecated;
                    Fill(message.Model.Reserved, message.Reserved);
                    Fill(message.Model.Extensions, message.ExtensionRanges);
                    message.Model.ReservedNames.AddRange(message.ReservedNames.Select(static name => name.Text));
                    set.Messages[message.Model.FullName] = message.Model;
                    break;
                case ParsedEnum type:
                    type.Model.IsDeprecated = isDeprecated;
                    Fill(type.Model.Reserved, type.Reserved);
                    type.Model.ReservedNames.AddRange(type.ReservedNames.Select(static name => name.Text));
                    set.Enums[type.Model.FullName] = type.Model;
                    break;
                case ParsedEnumValue value:
                    value.Model.IsDeprecated = isDeprecated;
                    break;
                case ParsedField field:
                    MuxOptions.Fill(field);
                    break;
                case ParsedService service:
                    service.Model.IsDeprecated = isDeprecated;
                    MuxOptions.Fill(service);
                    break;
                case ParsedMethod method:
                    method.Model.IsDeprecated = isDeprecated;
                    method.Model.IdempotencyLevel = Math.Max(0, Array.IndexOf(s_levels, method.Values?.Text("idempotency_level")));
                    MuxOptions.Fill(method);
                    break;
            }
        }

        set.Files.Add(file.Model);
    }

    private static void Fill(List<ProtoRange> target, List<ParsedRange> ranges)
    {
        foreach (var range in ranges) target.Add(new ProtoRange(range.First, range.Last));
    }
}
