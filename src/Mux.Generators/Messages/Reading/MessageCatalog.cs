using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>The messages that one contract reaches. Each is read once, even in cycles.</summary>
internal sealed class MessageCatalog
{
    private readonly Dictionary<string, MessageModel> _models = new(StringComparer.Ordinal);
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private readonly List<ITypeSymbol> _reached = [];
    private readonly Queue<(MessageKey Key, ReachedMessage Way, ISymbol? Origin)> _unread = new();
    private readonly TypeGrowth _growth;
    private readonly TypeSizes _sizes;
    private readonly Findings _findings;
    private readonly ValueReader _values;
    private readonly MessageTypeReader _types;
    private ReachedMessage? _reading; // null while methods are read

    public MessageCatalog(Compilation compilation, Findings findings)
    {
        _findings = findings;
        _growth = new TypeGrowth(compilation);
        _sizes = new TypeSizes(compilation);
        _values = new ValueReader(compilation, findings, Add, _sizes);
        _types = new MessageTypeReader(compilation, findings, _values, Add, _sizes);
    }

    /// <summary>The types that were read, and those of which initializers create objects.</summary>
    public IEnumerable<ITypeSymbol> ReachedTypes => _reached.Concat(_sizes.Types);

    /// <summary>Determines how a value of this type is sent. Null if it cannot be; the reason is then in the findings.</summary>
    /// <param name="owner">The member, parameter or method with the value.</param>
    /// <param name="type">Its type.</param>
    /// <param name="options">Options at its place.</param>
    public MemberValue? ReadValue(ISymbol owner, ITypeSymbol type, ValueOptions options = default) => _values.Read(owner, type, options);

    /// <summary>Adds the message that sends a bare value as field 1.</summary>
    /// <param name="type">Type of the value.</param>
    /// <param name="member">The value as a member.</param>
    /// <param name="options">Options at its place. Their levels are in the name of the codec if the bytes depend on
    /// them: contracts share codecs.</param>
    public MessageModel AddWrapper(ITypeSymbol type, MemberModel member, ValueOptions options)
    {
        var levels = member.Value.DependsOnLevel ? options.LevelsName : string.Empty;
        var wrapper = new MessageModel(
            type.ToBareCode(), type.ToDisplay(), $"{type.ToIdentifier()}{levels}_ValueCodec",
            IsStruct: false, ChecksType: false, Construction.Default,
            EquatableArray<int>.Empty, ConstructorNeedsAccessor: false, new EquatableArray<MemberModel>([member]));
        _models[wrapper.Codec] = wrapper;
        return wrapper;
    }

    /// <summary>Reads all messages that were reached but not read yet.</summary>
    public EquatableArray<MessageModel> ReadAll(CancellationToken cancellationToken)
    {
        while (_unread.Count > 0)
        {
            cancellationToken.ThrowIfCancellationRequested();
            (var key, _reading, _findings.Origin) = _unread.Dequeue();
            if (_types.Read(key) is { } model) _models[model.Codec] = model;
        }

        _reading = null;

        return new EquatableArray<MessageModel>([.. _models.Values.OrderBy(static model => model.Codec, StringComparer.Ordinal)]);
    }

    private void Add(MessageKey key, ISymbol owner)
    {
        if (_known.Contains(key.Codec)) return;
        var way = new ReachedMessage(key.Type, _reading);
        if (_growth.CauseOf(way) is { } cause)
        {
            ReportEndless(cause);
            return;
        }

        _known.Add(key.Codec);
        _reached.Add(key.Type);
        _unread.Enqueue((key, way, _findings.Origin));
    }

    private void ReportEndless(ISymbol cause)
    {
        var type = cause as INamedTypeSymbol ?? cause.ContainingType.OriginalDefinition;
        _findings.Report(GenerationDiagnostics.EndlessTypes, cause, cause.ToDisplay(), type.ToDisplay());
    }
}
