namespace Mux.Walk.Tests.Samples;

/// <summary>Methods of which some only call another one.</summary>
internal sealed class Forwards(Forwards? inner)
{
    private readonly int _value = 1;

    public Forwards? Inner => inner;

    public int Value => _value;

    public int InnerValue => inner!.Value;

    public int WithArguments(int a, int b) => inner!.Sum(a, b);

    public int WithProperty(int a) => Inner!.Sum(a, Value);

    public int WithConstant(int a) => Sum(a, 1);

    public void Nothing(int a) => inner!.Sum(a, a);

    public int Generic<T>(T value)
        where T : notnull => Count(value);

    public int Sum(int a, int b) => a + b;

    public int OfPropertyThatCalls() => Sum(Value, InnerValue);

    public int Twice(int a, int b) => Sum(Sum(a, b), b);

    public int Changed(int a, int b) => Sum(a + 1, b);

    public int Chosen(int a, int b) => a > 0 ? Sum(a, b) : 0;

    public Forwards Created() => new(this);

    public string Foreign(string text) => text.Trim();

    private int Count<T>(T value)
        where T : notnull => _value + value.GetHashCode();
}
