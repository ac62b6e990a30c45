namespace Yardstick;

internal sealed class SearchEmployee
{
    public int Id;
    public double RequestTime;
}
