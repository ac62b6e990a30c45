namespace Mux.Reflection;

/// <summary>The answers to the latest callers with different rights. Safe for concurrent use.</summary>
/// <param name="capacity">Answers that are kept; the one that was asked for least recently gives way.</param>
internal sealed class AnswerCache(int capacity)
{
    private readonly Lock _lock = new();
    private readonly List<(string Key, byte[] Answer)> _answers = new(capacity); // the latest first

    /// <summary>Gets the number of answers.</summary>
    public int Count
    {
        get
        {
            lock (_lock) return _answers.Count;
        }
    }

    /// <summary>Gets an answer, and makes it if it is not there.</summary>
    /// <param name="key">What the caller may see.</param>
    /// <param name="make">Makes the answer. Callers that ask at the same time may each make it.</param>
    public byte[] GetOrAdd(string key, Func<byte[]> make)
    {
        if (Find(key) is { } known) return known;
        var answer = make();
        lock (_lock)
        {
            _answers.RemoveAll(entry => entry.Key == key);
            if (_answers.Count == capacity) _answers.RemoveAt(capacity - 1);
            _answers.Insert(0, (key, answer));
        }

        return answer;
    }

    private byte[]? Find(string key)
    {
        lock (_lock)
        {
            int found = _answers.FindIndex(entry => entry.Key == key);
            if (found < 0) return null;
            var entry = _answers[found];
            _answers.RemoveAt(found);
            _answers.Insert(0, entry);
            return entry.Answer;
        }
    }
}
