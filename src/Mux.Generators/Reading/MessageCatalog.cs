using Microsoft.CodeAnalysis;
using Mux.Generators.Models;

namespace Mux.Generators.Reading;

/// <summary>The messages that one contract reaches. Each is read once, also when messages contain each other in a circle.</summary>
internal sealed class MessageCatalog
{
    private readonly Dictionary<string, MessageModel> _models = new(StringComparer.Ordinal);
    private readonly HashSet<INamedTypeSymbol> _known = new(SymbolEqualityComparer.Default);
    private readonly Queue<(INamedTypeSymbol Type, ISymbol? Origin)> _unread = new();
    private readonly Findings _findings;
    private readonly ValueReader _values;
    private readonly MessageTypeReader _types;

    public MessageCatalog(Compilation compilation, Findings findings)
    {
        _findings = findings;
        _values = new ValueReader(compilation, findings, Add);
        _types = new MessageTypeReader(compilation, findings, _values);
    }

    /// <summary>What a value of this type travels as; null if it cannot, which is then in the findings.</summary>
    /// <param name="owner">The member, parameter or method whose value it is.</param>
    /// <param name="type">Its type.</param>
    public MemberValue? ReadValue(ISymbol owner, ITypeSymbol type) => _values.Read(owner, type, DataFormat.Default);

    /// <summary>The message that sends a bare value as field 1.</summary>
    public MessageModel AddWrapper(ITypeSymbol type, MemberModel member)
    {
        var wrapper = new MessageModel(
            type.ToBareCode(), type.ToDisplay(), type.ToIdentifier() + "_ValueCodec", IsStruct: false, ChecksType: false, Construction.Default,
            EquatableArray<int>.Empty, ConstructorNeedsAccessor: false, new EquatableArray<MemberModel>([member]));
        _models[wrapper.Codec] = wrapper;
        return wrapper;
    }

    /// <summary>Reads whatever was reached and is not read yet.</summary>
    public EquatableArray<MessageModel> ReadAll(CancellationToken cancellationToken)
    {
        while (_unread.Count > 0)
        {
            cancellationToken.ThrowIfCancellationRequested();
            (var type, _findings.Origin) = _unread.Dequeue();
            if (_types.Read(type) is { } model) _models[model.Codec] = model;
        }

        return new EquatableArray<MessageModel>([.. _models.Values.OrderBy(static model => model.Codec, StringComparer.Ordinal)]);
    }

    private void Add(INamedTypeSymbol type)
    {
        if (_known.Add(type)) _unread.Enqueue((type, _findings.Origin));
    }
}
