namespace Mux.Description.Json;

/// <summary>A few objects to use again, for several threads.</summary>
internal sealed class Spares<T>
    where T : class
{
    private readonly T?[] _spares = new T?[8];

    /// <summary>Takes one; null if there is none.</summary>
    public T? Take()
    {
        int start = Environment.CurrentManagedThreadId;
        for (int i = 0; i < _spares.Length; i++)
        {
            ref var spare = ref _spares[(start + i) & (_spares.Length - 1)];
            if (spare is not null && Interlocked.Exchange(ref spare, null) is { } taken) return taken;
        }

        return null;
    }

    /// <summary>Gives one back; it is dropped if there are enough.</summary>
    public void Return(T spare)
    {
        int start = Environment.CurrentManagedThreadId;
        for (int i = 0; i < _spares.Length; i++)
        {
            if (Interlocked.CompareExchange(ref _spares[(start + i) & (_spares.Length - 1)], spare, null) is null) return;
        }
    }
}
