namespace Mux.Description.Proto.Descriptors;

/// <summary>Writes comments as the SourceCodeInfo of files, from which compilers and plug-ins take the documentation of what they generate.</summary>
internal sealed class CommentWriter
{
    private readonly List<int> _path = [];
    private WireWriter _locations = new();

    /// <summary>Gets the number of lines in all files.</summary>
    public int Lines { get; private set; }

    public WireWriter Write(ProtoFile file)
    {
        _locations = new WireWriter();
        _path.Add(file.Syntax == ProtoSyntax.Edition2023 ? DescriptorWriter.EditionField : DescriptorWriter.SyntaxField);
        if (file.Comment is { } comment) Add(comment, default, 0);
        _path.Clear();
        AddAll(4, file.Messages, AddContent);
        AddAll(5, file.Enums, AddContent);
        AddAll(6, file.Services, service => AddAll(2, service.Methods, null));
        return _locations;
    }

    private void AddContent(ProtoMessage message)
    {
        AddAll(2, message.Fields, null);
        AddAll(3, message.Messages, AddContent);
        AddAll(4, message.Enums, AddContent);
        AddAll(8, message.Oneofs, null);
    }

    private void AddContent(ProtoEnum declared) => AddAll(2, declared.Values, null);

    private void AddAll<T>(int field, List<T> elements, Action<T>? addContent)
        where T : ProtoElement
    {
        for (int i = 0; i < elements.Count; i++)
        {
            _path.Add(field);
            _path.Add(i);
            if (elements[i].Comment is { } comment) Add(comment, elements[i].Position, elements[i].Name.Length);
            addContent?.Invoke(elements[i]);
            _path.RemoveRange(_path.Count - 2, 2);
        }
    }

    private void Add(string comment, ProtoPosition position, int length)
    {
        Lines += CommentText.CountLines(comment);
        int line = Math.Max(0, position.Line - 1), column = Math.Max(0, position.Column - 1); // begin at 0 there
        _locations.Message(SourceLocation.LocationField, new WireWriter()
            .Packed(SourceLocation.PathField, _path).Packed(SourceLocation.SpanField, [line, column, column + length])
            .Text(SourceLocation.LeadingField, CommentText.ToDescriptor(comment)));
    }
}
