using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Options;

/// <summary>The messages of options that google/protobuf/descriptor.proto declares.</summary>
internal sealed class OptionSchema
{
    private readonly Dictionary<string, ParsedMessage> _messages = new(StringComparer.Ordinal);

    public OptionSchema(ParsedFile descriptor)
    {
        foreach (var message in descriptor.Messages) _messages[message.Model.Name] = message;
    }

    public ParsedMessage Of(ParsedNode node) => _messages[node.OptionsName];

    /// <summary>Says whether extensions of a message are options, which need no reader of their own.</summary>
    public static bool IsOptions(ParsedMessage message) =>
        message.Model.FullName is "google.protobuf.FeatureSet" || IsOptionsOfElement(message);

    public static bool IsOptionsOfElement(ParsedMessage message) => message.Model.FullName
        is "google.protobuf.FileOptions" or "google.protobuf.MessageOptions" or "google.protobuf.FieldOptions" or "google.protobuf.OneofOptions"
        or "google.protobuf.EnumOptions" or "google.protobuf.EnumValueOptions" or "google.protobuf.ServiceOptions" or "google.protobuf.MethodOptions"
        or "google.protobuf.ExtensionRangeOptions";
}
