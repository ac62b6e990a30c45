using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>
/// Reads the comments of descriptors, which are there if the compiler included them, and assigns them to the elements that follow them.
/// </summary>
/// <param name="oneofsOf">Gets the oneofs of a message as the descriptor has them.</param>
internal sealed class CommentReader(Func<ProtoMessage, List<ProtoOneof>> oneofsOf)
{
    private int _lines;

    /// <param name="bytes">The SourceCodeInfo.</param>
    /// <param name="file">The file, whose elements have been read.</param>
    /// <param name="place">The file, for errors.</param>
    public void Read(ReadOnlySpan<byte> bytes, ProtoFile file, string place)
    {
        SourceLocation? first = null;
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field != SourceLocation.LocationField) continue;
            var location = SourceLocation.Read(reader.Content(), place);
            if (location.Path is not { Count: > 0 } path) continue;
            if (first is null || IsBefore(location, first)) first = location;
            if (location.Leading is { } comment && Find(file, path) is { } element) element.Comment = Convert(comment, place);
        }

        if (first is null) return;
        var comments = first.Detached.Append(first.Leading).OfType<string>().Select(comment => Convert(comment, place)).OfType<string>().ToList();
        if (comments.Count > 0) file.Comment = string.Join("\n\n", comments);
    }

    // The comment of a file is that before its first statement, which is the one of its language if it has one.
    private static bool IsBefore(SourceLocation location, SourceLocation first)
    {
        if (IsSyntax(location) != IsSyntax(first)) return IsSyntax(location);
        int order = location.Start.CompareTo(first.Start);
        return order < 0 || (order == 0 && first.Leading is null && first.Detached.Count == 0);
    }

    private static bool IsSyntax(SourceLocation location) =>
        location.Path!.Count == 1 && location.Path[0] is DescriptorWriter.SyntaxField or DescriptorWriter.EditionField;

    private string? Convert(string comment, string place)
    {
        _lines += CommentText.CountLines(comment);
        if (_lines > DescriptionLimits.CommentLines)
            DescriptionFault.Throw(place, $"has more than {DescriptionLimits.CommentLines} lines of comments with the files before it");
        return CommentText.FromDescriptor(comment);
    }

    private ProtoElement? Find(ProtoFile file, List<int> path)
    {
        if (path.Count % 2 != 0) return null;
        ProtoElement? element = path[0] switch
        {
            4 => At(file.Messages, path[1]),
            5 => At(file.Enums, path[1]),
            6 => At(file.Services, path[1]),
            _ => null,
        };
        for (int i = 2; i < path.Count && element is not null; i += 2) element = Child(element, path[i], path[i + 1]);
        return element;
    }

    private ProtoElement? Child(ProtoElement element, int field, int index) => (element, field) switch
    {
        (ProtoMessage message, 2) => At(message.Fields, index),
        (ProtoMessage message, 3) => At(message.Messages, index),
        (ProtoMessage message, 4) => At(message.Enums, index),
        (ProtoMessage message, 8) => At(oneofsOf(message), index),
        (ProtoEnum declared, 2) => At(declared.Values, index),
        (ProtoService service, 2) => At(service.Methods, index),
        _ => null,
    };

    private static T? At<T>(List<T> elements, int index)
        where T : ProtoElement => index >= 0 && index < elements.Count ? elements[index] : null;
}
