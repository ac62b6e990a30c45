namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>Visits all elements of a file, each after the element that contains it.</summary>
internal static class NodeWalk
{
    public static IEnumerable<ParsedNode> All(ParsedFile file)
    {
        var nodes = new List<ParsedNode> { file };
        foreach (var message in file.Messages) Add(nodes, message);
        foreach (var type in file.Enums) Add(nodes, type);
        foreach (var service in file.Services)
        {
            nodes.Add(service);
            nodes.AddRange(service.Methods);
        }

        nodes.AddRange(file.Extensions);
        return nodes;
    }

    /// <summary>Gets all messages, nested ones included.</summary>
    public static IEnumerable<ParsedMessage> Messages(ParsedFile file) => All(file).OfType<ParsedMessage>();

    private static void Add(List<ParsedNode> nodes, ParsedMessage message)
    {
        nodes.Add(message);
        nodes.AddRange(message.Oneofs);
        nodes.AddRange(message.Fields);
        nodes.AddRange(message.Extensions);
        nodes.AddRange(message.ExtensionRanges);
        foreach (var type in message.Enums) Add(nodes, type);
        foreach (var nested in message.Messages) Add(nodes, nested);
    }

    private static void Add(List<ParsedNode> nodes, ParsedEnum type)
    {
        nodes.Add(type);
        nodes.AddRange(type.Members);
    }
}
