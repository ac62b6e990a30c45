namespace BlockingFront.Stacks;

[MuxService("numbers.Numbers")]
public interface INumbers
{
    ValueTask<int> Increment(int number);
}
