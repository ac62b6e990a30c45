using Mux.Description.Proto.Parsing.Text;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads messages, and extensions of messages.</summary>
internal sealed class MessageParser
{
    private readonly TokenReader _tokens;
    private readonly ParsedFile _file;
    private readonly OptionParser _options;
    private readonly EnumParser _enums;
    private readonly RangeParser _ranges;
    private readonly FieldParser _fields;
    private int _depth;

    public MessageParser(TokenReader tokens, ParsedFile file, OptionParser options, EnumParser enums)
    {
        _tokens = tokens;
        _file = file;
        _options = options;
        _enums = enums;
        _ranges = new RangeParser(tokens, file, options);
        _fields = new FieldParser(tokens, file, options, this);
    }

    public bool ReadMessage(ParsedMessage? container)
    {
        var comment = _tokens.Current.Comment;
        _tokens.Next();
        if (!_tokens.TakeName("a message", out var name) || Add(container, name, comment) is not { } message) return false;
        return ReadBlock(message);
    }

    /// <returns>A new message; null if there are too many.</returns>
    public ParsedMessage? Add(ParsedMessage? container, ProtoToken name, string? comment)
    {
        if (!_tokens.TakeType()) return null;
        var message = new ParsedMessage(new ProtoMessage { Name = name.Text, Position = name.Position, Comment = comment }, _file, container);
        (container?.Messages ?? _file.Messages).Add(message);
        (container?.Model.Messages ?? _file.Model.Messages).Add(message.Model);
        return message;
    }

    public bool ReadBlock(ParsedMessage message)
    {
        if (_depth >= ProtoLimits.Depth) return _tokens.Fault($"Messages are nested more than {ProtoLimits.Depth} deep.");
        if (!_tokens.Take("{")) return false;
        _depth++;
        while (!_tokens.TryTake("}"))
        {
            if (_tokens.IsAtEnd)
            {
                _depth--;
                return _tokens.Fault($"The message '{message.Model.Name}' has no end: '}}' is missing.");
            }

            if (!ReadStatement(message)) _tokens.SkipStatement();
        }

        _depth--;
        return true;
    }

    public bool ReadExtend(ParsedMessage? scope)
    {
        _tokens.Next();
        var position = _tokens.Position;
        if (!_fields.ReadTypeName("a message to extend", out var name) || !_tokens.Take("{")) return false;
        do
        {
            if (_tokens.IsAtEnd) return _tokens.Fault("The extension has no end: '}' is missing.");
            if (!_fields.ReadLabeled(scope, new ParsedName(name, position))) _tokens.SkipStatement();
        }
        while (!_tokens.TryTake("}"));
        return true;
    }

    private bool ReadStatement(ParsedMessage message)
    {
        if (_tokens.TryTake(";")) return true;
        return _tokens.Current.Text switch
        {
            "message" => ReadMessage(message),
            "enum" => _enums.Read(message),
            "extensions" => _ranges.ReadExtensions(message),
            "reserved" => _ranges.ReadReserved(message, message.Reserved, message.ReservedNames, isEnum: false),
            "extend" => ReadExtend(message),
            "option" => _options.ReadStatement(message.Options),
            "oneof" => ReadOneof(message),
            _ => _fields.ReadLabeled(message, default),
        };
    }

    private bool ReadOneof(ParsedMessage message)
    {
        var comment = _tokens.Current.Comment;
        _tokens.Next();
        if (!_tokens.TakeName("a oneof", out var name) || !_tokens.TakeMember()) return false;
        var oneof = new ParsedOneof(new ProtoOneof { Name = name.Text, Position = name.Position, Comment = comment }, message);
        message.Oneofs.Add(oneof);
        message.Model.Oneofs.Add(oneof.Model);
        if (!_tokens.Take("{")) return false;
        do
        {
            if (_tokens.IsAtEnd) return _tokens.Fault($"The oneof '{name.Text}' has no end: '}}' is missing.");
            if (_tokens.Is("option"))
            {
                if (!_options.ReadStatement(oneof.Options)) return false;
            }
            else
            {
                oneof.HasFields = true;
                if (!_fields.ReadOfOneof(message, oneof)) _tokens.SkipStatement();
            }
        }
        while (!_tokens.TryTake("}"));
        return true;
    }
}
