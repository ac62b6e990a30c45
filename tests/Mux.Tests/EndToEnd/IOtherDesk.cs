using System.Runtime.Serialization;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>What a client believes <see cref="IDesk"/> to be: questions, or answers, have a member more, which decodes.</summary>
[MuxService("test.Desk")]
public interface IOtherDesk
{
    ValueTask<Answer> AskPlainly(LongerQuestion question);

    [MuxMethod(Dispatch = MuxDispatchMode.Inline)]
    ValueTask<LongerQuestion> AskInline(Question question, CancellationToken cancellationToken = default);

    ValueTask<Answer> Ask(Question question, CancellationToken cancellationToken = default);
}

/// <summary>A <see cref="Question"/> with one member more.</summary>
[DataContract]
public sealed class LongerQuestion
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public string? Text { get; set; }

    [DataMember(Order = 3)]
    public byte[]? Bytes { get; set; }

    [DataMember(Order = 4)]
    public List<string?>? Names { get; set; }

    [DataMember(Order = 5)]
    public int Added { get; set; }
}
