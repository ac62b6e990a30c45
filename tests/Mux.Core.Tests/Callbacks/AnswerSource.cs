using System.Threading.Channels;
using Mux.Callbacks;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Callbacks;

/// <summary>The answers of a caller, one at a time: the test knows when one has been dealt with.</summary>
internal sealed class AnswerSource : IAsyncEnumerable<CallbackAnswer>
{
    private readonly Channel<CallbackAnswer> _answers = Channel.CreateUnbounded<CallbackAnswer>();
    private readonly Counter _done = new("answers that were dealt with");
    private int _given;

    /// <summary>Gives an answer. Completes when the reader asks for the next one, or has failed.</summary>
    public Task GiveAsync(CallbackAnswer answer)
    {
        Assert.True(_answers.Writer.TryWrite(answer));
        return _done.ReachAsync(++_given);
    }

    public void End() => _answers.Writer.Complete();

    public async IAsyncEnumerator<CallbackAnswer> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        await foreach (var answer in _answers.Reader.ReadAllAsync(cancellationToken))
        {
            try
            {
                yield return answer;
            }
            finally
            {
                _done.Add();
            }
        }
    }
}
